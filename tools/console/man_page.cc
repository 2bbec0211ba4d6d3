#include "tools/console/man_page.h"

#include <algorithm>

#include "tools/console/help.h"
#include "tools/console/paragraphs.h"

namespace midwire::tools {
namespace {

// A backslash and a hyphen have other meanings in man(7), and so has a dot or a quote that begins a
// line.
std::string ManText(std::string_view text) {
  std::string escaped = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

// With capitals in italics, as they stand for a value.
std::string ManSignature(const OptionFacts& option) {
  if (option.names.empty()) return "\\fI" + ManText(option.name) + "\\fR";
  std::string text;
  for (const std::string& name : option.names) {
    text += (text.empty() ? "\\fB" : ", \\fB") + ManText(name) + "\\fR";
  }
  const std::string value = "\\fI" + ManText(option.metavar) + "\\fR";
  if (option.optional_value) return text + "[=" + value + "]";
  return option.metavar.empty() ? text : text + " " + value;
}

void AppendEntry(const std::string& name, const std::string& text, std::string* out) {
  *out += ".TP\n" + name + "\n" + ManText(text) + "\n";
}

void AppendCommands(const ArgumentParser& parent, std::string* out) {
  std::string group;
  for (const ArgumentParser& command : parent.subcommands()) {
    if (command.group() != group) {
      group = command.group();
      *out += ".SS " + ManText(group) + "\n";
    }
    AppendEntry("\\fB" + ManText(command.name()) + "\\fR", command.purpose(), out);
  }
}

// What the command does, as a sentence.
std::string Sentence(std::string text) {
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text.ends_with('.') ? text : text + ".";
}

struct ManSections {
  std::string description, exit_status, examples;
};

ManSections SectionsOf(const ArgumentParser& command) {
  constexpr std::string_view kExitStatus = "Exit status:";
  ManSections sections;
  sections.description = ".PP\n" + ManText(Sentence(command.purpose())) + "\n";
  std::string* out = &sections.description;
  for (HelpPart part : PartsOf(command.footer())) {
    if (part.begins) out = &sections.description;
    if (part.text.starts_with(kExitStatus)) {
      out = &sections.exit_status;
      part.text.erase(0, std::min(kExitStatus.size() + 1, part.text.size()));
      if (part.text.empty()) continue;
    }
    switch (part.kind) {
      case HelpPart::Kind::kText:
        *out += ".PP\n" + ManText(part.text) + "\n";
        break;
      case HelpPart::Kind::kItem:
        // As it stands: an item may have two columns.
        *out += (part.begins ? ".PP\n" : ".br\n") + ManText(part.text) + "\n";
        break;
      case HelpPart::Kind::kExamples:
        sections.examples += ".PP\n.nf\n";
        for (const std::string& line : part.lines) sections.examples += ManText(line) + "\n";
        sections.examples += ".fi\n";
        break;
    }
  }
  return sections;
}

void AppendOptions(const ArgumentParser& command, std::string* out) {
  std::string arguments, options;
  for (const OptionFacts& option : command.options()) {
    AppendEntry(ManSignature(option), TextOf(option), option.names.empty() ? &arguments : &options);
  }
  if (!arguments.empty()) *out += ".SH ARGUMENTS\n" + arguments;
  *out += ".SH OPTIONS\n" + options;
}

}  // namespace

std::string ManPageName(const ArgumentParser& command) {
  std::string name = command.path();
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string ManPage(const ArgumentParser& command, const std::string& version) {
  const std::string name = ManPageName(command);
  const bool root = name == command.name();
  std::string title = name;
  for (char& c : title) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  std::string text = ".TH \"" + title + "\" 1 \"\" \"" + version + "\" \"midwire manual\"\n";
  text += ".SH NAME\n" + ManText(name) + " \\- " + ManText(command.purpose()) + "\n.SH SYNOPSIS\n";
  text += ManText(root ? "midwire COMMAND [OPTIONS] ..." : UsageOf(command)) + "\n";
  const ManSections sections = SectionsOf(command);
  text += ".SH DESCRIPTION\n" + sections.description;
  if (!command.subcommands().empty()) {
    text += ".SH COMMANDS\n";
    AppendCommands(command, &text);
  }
  AppendOptions(command, &text);
  if (!sections.exit_status.empty()) text += ".SH EXIT STATUS\n" + sections.exit_status;
  if (!sections.examples.empty()) text += ".SH EXAMPLES\n" + sections.examples;
  text += ".SH SEE ALSO\n";
  text += root ? "\\fBmidwire\\-record\\fR(1), and a page for each other command\n"
               : "\\fBmidwire\\fR(1)\n";
  return text;
}

}  // namespace midwire::tools
