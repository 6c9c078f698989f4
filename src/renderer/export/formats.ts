import { ExportFormat, type ExportFormatInfo, exportFormats } from '../../shared/model/export'

/** What each format is for. */
export const formatPurposes: Readonly<Record<ExportFormat, string>> = {
  md: 'To hand on as text: who said what, with tools and reasoning.',
  html: 'One page for any browser, with folds; nothing in it runs or loads.',
  txt: 'Who, when and the words, without any marks.',
  json: 'Every entry with all that is known of it, and the account of its files.',
  jsonl: 'Every entry, one line of JSON each: for scripts, and for reading it back.',
  csv: 'A table for spreadsheets, a line for each entry.',
  openai: 'What programs for OpenAI’s models take, in one JSON file.',
  original: 'The bytes that it is read from, damaged lines too, as its own program wrote them.',
  chibi:
    'A transcript: chibi finds it as contexts/NAME/transcript/active.jsonl in its home, where NAME is new.',
  cycod: 'A chat history: cycod finds it by its name in ~/.cycod/history.',
  fluux:
    'A session: the agent finds it as history.jsonl in a folder of its memory that is called like the JID.',
  voicemode:
    'Exchanges: voicemode finds them in ~/.voicemode/logs/conversations; the name is the day’s, so do not replace a file there.',
}

/** The formats in the groups of the dialog, in their order. */
export const formatGroups: readonly {
  readonly group: ExportFormatInfo['group']
  readonly formats: readonly ExportFormat[]
}[] = [...new Set(Object.values(exportFormats).map(({ group }) => group))].map((group) => ({
  group,
  formats: ExportFormat.options.filter((format) => exportFormats[format].group === group),
}))
