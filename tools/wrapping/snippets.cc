#include "tools/wrapping/snippets.h"

#include <algorithm>

#include "wire/json/ascii.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

constexpr Snippet kSnippets[] = {
    {"nvim", "init.lua of neovim 0.7 to 0.10; tested with 0.7. Replace '*' by the file types", "--",
     "{ }", ", ", R"(local {id}
vim.api.nvim_create_autocmd('FileType', {
  pattern = '*',
  callback = function(event)
    {id} = {id} or vim.lsp.start_client({
      name = {name},
      cmd = {command},
      root_dir = vim.fn.getcwd(),
    })
    if {id} then vim.lsp.buf_attach_client(event.buf, {id}) end
  end,
})
)"},
    {"nvim-new", "init.lua of neovim 0.11 or newer; untested. Replace LANGUAGE by the file type",
     "--", "{ }", ", ", R"(vim.lsp.config({name}, {
  cmd = {command},
  filetypes = { 'LANGUAGE' },
  root_markers = { '.git' },
})
vim.lsp.enable({name})
)"},
    {"vim", "vimrc, for the plugin vim-lsp; untested. Replace '*' by the file types", "\"", "[ ]",
     ", ", R"(autocmd User lsp_setup call lsp#register_server({
    \ 'name': {name},
    \ 'cmd': {info -> {command}},
    \ 'allowlist': ['*'],
    \ })
)"},
    {"emacs", "init.el, for eglot; tested with emacs 28. Replace prog-mode by the mode", ";;",
     "( )", " ", R"((with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '(prog-mode . {command})))
)"},
    {"sublime",
     "LSP.sublime-settings, for the package LSP; untested. Replace source by the selector", "//",
     "[ ]", ", ", R"({
  "clients": {
    {name}: {
      "enabled": true,
      "command": {command},
      "selector": "source"
    }
  }
}
)"},
    {"kakoune", "kak-lsp.toml; untested. Replace LANGUAGE by the file type", "#", "[ ]", ", ",
     R"([language_server.{bare}]
filetypes = ["LANGUAGE"]
roots = [".git"]
command = {first}
args = {rest}
)"},
    {"helix", "languages.toml; untested. Replace LANGUAGE by the language", "#", "[ ]", ", ",
     R"([language-server.{bare}]
command = {first}
args = {rest}

[[language]]
name = "LANGUAGE"
language-servers = [{name}]
)"},
};

// A string of the language; Vim's has no escapes in single quotes but a doubled quote.
std::string Quoted(const Snippet& snippet, std::string_view word) {
  const bool vim = snippet.name == "vim";
  std::string quoted(1, vim ? '\'' : '"');
  for (const char c : word) {
    if (vim && c == '\'') quoted += c;
    if (!vim && (c == '"' || c == '\\')) quoted += '\\';
    quoted += c;
  }
  return quoted += quoted[0];
}

std::string ListOf(const Snippet& snippet, const std::vector<std::string>& words, size_t first) {
  std::string list;
  for (size_t i = first; i < words.size(); ++i) {
    list += (list.empty() ? "" : std::string(snippet.between)) + Quoted(snippet, words[i]);
  }
  const bool wide = snippet.list[0] == '{';
  return snippet.list[0] + (wide ? " " + list + " " : list) + snippet.list.back();
}

// The plugin's file name as a bare word: letters, digits and dashes.
std::string BareName(std::string_view command) {
  std::string name(command.substr(command.rfind('/') + 1));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !wire::IsAlphanumeric(c); }, '-');
  return name;
}

}  // namespace

std::span<const Snippet> Snippets() { return kSnippets; }

Result<std::string> MakeSnippet(std::string_view name, const std::vector<std::string>& front,
                                const std::vector<std::string>& plugin) {
  const auto* const snippet = std::find_if(std::begin(kSnippets), std::end(kSnippets),
                                           [&](const Snippet& one) { return one.name == name; });
  if (snippet == std::end(kSnippets)) {
    std::string names;
    for (const Snippet& one : kSnippets) {
      names += (names.empty() ? "" : ", ") + std::string(one.name);
    }
    return Error{"--snippet: no such editor: \"" + std::string(name) + "\"", "", "one of " + names};
  }
  if (plugin.empty() || plugin[0].empty()) {
    return Error{"--snippet: no plugin to run", "",
                 "midwire wrap --snippet nvim -- PLUGIN ARGS..."};
  }
  std::vector<std::string> words = front;
  words.insert(words.end(), plugin.begin(), plugin.end());
  for (const std::string& word : words) {
    if (wire::Escaped(word) != word) {
      return Error{"--snippet: this word cannot be shown as it is", wire::Escaped(word),
                   "start the plugin through a script"};
    }
  }
  std::string id = BareName(plugin[0]);
  std::replace(id.begin(), id.end(), '-', '_');
  const std::pair<std::string_view, std::string> parts[] = {
      {"{name}", Quoted(*snippet, BareName(plugin[0]))},
      {"{bare}", BareName(plugin[0])},
      {"{id}", "midwire_" + id},
      {"{command}", ListOf(*snippet, words, 0)},
      {"{first}", Quoted(*snippet, words[0])},
      {"{rest}", ListOf(*snippet, words, 1)},
  };
  std::string text = std::string(snippet->comment) + " " + std::string(snippet->about) + "\n";
  for (std::string_view rest = snippet->text; !rest.empty();) {
    const auto* const part = std::find_if(std::begin(parts), std::end(parts), [&](const auto& one) {
      return rest.starts_with(one.first);
    });
    if (part == std::end(parts)) {
      text += rest[0];
      rest.remove_prefix(1);
    } else {
      text += part->second;
      rest.remove_prefix(part->first.size());
    }
  }
  return text;
}

}  // namespace midwire::tools
