#!/usr/bin/env bash
# One script for both services; ClusterFuzzLite's image copies that one itself.
exec "$(dirname "$0")/../packaging/oss-fuzz/build.sh"
