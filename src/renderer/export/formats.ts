import { ExportFormat, type ExportFormatInfo, exportFormats } from '../../shared/model/export'

/** Purpose of each export format, as a sentence. */
export const formatPurposes: Readonly<Record<ExportFormat, string>> = {
  md: 'Text to share: who said what, with tools and reasoning.',
  html: 'One page for any browser, with sections that fold. No scripts, nothing loaded.',
  pdf: 'The page of HTML on paper: numbered pages, everything unfolded.',
  txt: 'Names, times and text, without formatting.',
  json: 'Every entry with all its data, and a list of its files.',
  jsonl: 'Every entry, one line of JSON each: for scripts, and to be imported into Skein again.',
  csv: 'A table for spreadsheets, one row per entry.',
  openai: 'Messages in OpenAI’s format, in one JSON file.',
  original: 'The conversation’s own files, byte for byte, with damaged lines.',
  chibi:
    'A transcript: chibi finds it as active.jsonl in contexts/NAME/transcript of its home, where NAME is new.',
  cycod: 'A chat history: cycod finds it by its name in ~/.cycod/history.',
  fluux:
    'A session: the agent finds it as history.jsonl in a folder of its memory named after the JID.',
  voicemode:
    'Exchanges: voicemode finds them in ~/.voicemode/logs/conversations; the name is the day’s, so do not replace a file there.',
  pi: 'A new session: pi goes on with it by pi --session FILE.',
  'claude-code':
    'A new session: Claude Code finds it by its id, in the project’s folder. It may not list it.',
  codex: 'A new thread: codex resume ID goes on with it in most versions.',
  opencode: 'A file for opencode import, run in the project’s folder.',
}

/** Groups of the export formats, in the order of the dialog. */
export const formatGroups: readonly {
  readonly group: ExportFormatInfo['group']
  readonly formats: readonly ExportFormat[]
}[] = [...new Set(Object.values(exportFormats).map(({ group }) => group))].map((group) => ({
  group,
  formats: ExportFormat.options.filter((format) => exportFormats[format].group === group),
}))
