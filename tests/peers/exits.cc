// exits CODE: exits at once, without reading anything.
#include "peer.h"

int main(int, char** argv) { return peer::Number(argv[1]); }
