import { allParts, type ExportChoices } from '../../shared/model/export-choices'
import { type Arguments, textFlag, wordFlag } from '../command/arguments'

/** Reads `--tools`, `--reasoning`, `--system`, `--times`, `--from` and `--to` of an export. @throws UsageError */
export function choiceFlags(args: Arguments): Pick<ExportChoices, 'parts' | 'range'> {
  const isWanted = (name: string) => wordFlag(args, name, ['all', 'none'] as const) !== 'none'
  const from = textFlag(args, 'from')
  const to = textFlag(args, 'to')
  return {
    parts: {
      tools: wordFlag(args, 'tools', ['all', 'calls', 'none'] as const) ?? allParts.tools,
      reasoning: isWanted('reasoning'),
      system: isWanted('system'),
      times: isWanted('times'),
    },
    ...(from === undefined && to === undefined ? {} : { range: { from, to } }),
  }
}
