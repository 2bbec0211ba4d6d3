#include "view/page/page.h"

#include <libdeflate.h>

#include <array>
#include <memory>
#include <new>
#include <utility>

#include "view/page/embedded.h"
#include "wire/json/base64.h"

namespace midwire::view {
namespace {

constexpr int kLevel = 9;  // of 12; 12 takes ten times as long for a twentieth less

// Each placeholder is in the page once, in this order.
std::string Filled(std::string_view connect, std::string_view index, std::string_view bytes) {
  const std::array<std::pair<std::string_view, std::string_view>, 3> values = {
      {{"@MIDWIRE_CONNECT@", connect}, {"@MIDWIRE_INDEX@", index}, {"@MIDWIRE_BYTES@", bytes}}};
  std::string page;
  page.reserve(kPage.size() + index.size() + bytes.size());
  std::string_view rest = kPage;
  for (const auto& [name, value] : values) {
    const size_t at = rest.find(name);
    page += rest.substr(0, at);
    page += value;
    rest.remove_prefix(at + name.size());
  }
  page += rest;
  return page;
}

std::string Packed(std::string_view bytes) {
  std::string base64;
  wire::AppendBase64(Gzip(bytes), &base64);
  return base64;
}

}  // namespace

std::string Gzip(std::string_view bytes) {
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor(
      libdeflate_alloc_compressor(kLevel), libdeflate_free_compressor);
  if (compressor == nullptr) throw std::bad_alloc();
  std::string packed(libdeflate_gzip_compress_bound(compressor.get(), bytes.size()), '\0');
  packed.resize(libdeflate_gzip_compress(compressor.get(), bytes.data(), bytes.size(),
                                         packed.data(), packed.size()));
  return packed;
}

std::string ReportPage(std::string_view index, std::string_view blob) {
  return Filled("'none'", Packed(index), Packed(blob));
}

std::string LivePage() { return Filled("'self'", "", ""); }

}  // namespace midwire::view
