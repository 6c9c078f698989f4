import type { ExportFormat } from '../../shared/model/export'

/** The formats as they are offered, in groups. */
export const formatGroups: readonly {
  readonly name: string
  readonly formats: readonly {
    readonly format: ExportFormat
    readonly name: string
    readonly words: string
  }[]
}[] = [
  {
    name: 'To read',
    formats: [
      {
        format: 'md',
        name: 'Markdown',
        words: 'To hand on as text: who said what, with tools and reasoning.',
      },
      {
        format: 'html',
        name: 'HTML',
        words: 'One page for any browser, with folds; nothing in it runs or loads.',
      },
      { format: 'txt', name: 'Plain text', words: 'Who, when and the words, without any marks.' },
    ],
  },
  {
    name: 'Data',
    formats: [
      {
        format: 'json',
        name: 'JSON',
        words: 'Every entry with all that is known of it, and the account of its files.',
      },
      {
        format: 'jsonl',
        name: 'JSONL',
        words: 'Every entry, one line of JSON each: for scripts, and for reading it back.',
      },
      { format: 'csv', name: 'CSV', words: 'A table for spreadsheets, a line for each entry.' },
      {
        format: 'openai',
        name: 'OpenAI messages',
        words: 'What programs for OpenAI’s models take, in one JSON file.',
      },
      {
        format: 'original',
        name: 'Original',
        words: 'The bytes that it is read from, damaged lines too, as its own program wrote them.',
      },
    ],
  },
  {
    name: 'Other programs',
    formats: [
      {
        format: 'chibi',
        name: 'chibi',
        words:
          'A transcript: chibi finds it as contexts/NAME/transcript/active.jsonl in its home, where NAME is new.',
      },
      {
        format: 'cycod',
        name: 'cycod',
        words: 'A chat history: cycod finds it by its name in ~/.cycod/history.',
      },
      {
        format: 'fluux',
        name: 'fluux-agent',
        words:
          'A session: the agent finds it as history.jsonl in a folder of its memory that is called like the JID.',
      },
      {
        format: 'voicemode',
        name: 'voicemode',
        words:
          'Exchanges: voicemode finds them in ~/.voicemode/logs/conversations; the name is the day’s, so do not replace a file there.',
      },
    ],
  },
]
