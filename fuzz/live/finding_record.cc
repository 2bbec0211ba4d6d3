#include "fuzz/live/finding_record.h"

namespace midwire::fuzz {

FindingRecord RecordOf(const Investigated& found, const RecordContext& context) {
  FindingRecord record = {.oracle = found.finding.oracle,
                          .key = found.finding.key,
                          .text = found.finding.text,
                          .kind = found.finding.kind,
                          .dialect = context.dialect,
                          .exempt = context.exempt,
                          .pace = found.life.pace,
                          .eof = found.life.eof,
                          .probes_sync = found.life.probes_sync,
                          .hits = found.hits,
                          .tries = found.tries};
  record.big_ids = context.options->oracle.oracles[static_cast<size_t>(Oracle::kBigId)];
  if (record.oracle == Oracle::kMemory) record.max_growth = context.options->max_growth;
  DescribeSeeds(*context.seeds, &record);
  context.target->Describe(&record);
  return record;
}

}  // namespace midwire::fuzz
