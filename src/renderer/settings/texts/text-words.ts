import type { HomeTextName } from '../../../shared/model/home-texts'

/** Words for a text of the home: its name, and what it does. */
export interface TextWords {
  readonly title: string
  readonly about: string
  /** What holds while there is none. */
  readonly without: string
}

const known: Readonly<Record<string, TextWords>> = {
  'prompts/chibi.md': {
    title: 'System prompt',
    about: 'What the model is told first, in each conversation without a prompt of its own.',
    without: 'None: the model is told nothing first.',
  },
  'prompts/reflection.md': {
    title: 'Reflection',
    about: 'What models remember for every conversation: part of every prompt. They change it too.',
    without: 'None yet.',
  },
  'AGENTS.md': {
    title: 'Instructions for agents',
    about: 'Part of every prompt, behind the system prompt.',
    without: 'None.',
  },
  'prompts/compaction.md': {
    title: 'Compaction',
    about: 'What the model is asked when all of a window becomes a summary.',
    without: 'Skein’s own words are used.',
  },
  'prompts/continuation.md': {
    title: 'After a compaction',
    about: 'The words before the summary, with which the next window begins.',
    without: 'Skein’s own words are used.',
  },
  'prompts/title.md': {
    title: 'Titles',
    about: 'What the model is asked for a title.',
    without: 'Skein’s own words are used.',
  },
  'models.toml': {
    title: 'Single models',
    about:
      'Context windows and parameters of models, in tables of their ids. No keys and no addresses.',
    without: 'None: the providers’ values are used.',
  },
}

/** Returns the words for a text; of a prompt without a meaning of its own, its file name. */
export function wordsOfText(name: HomeTextName): TextWords {
  const title = name.replace(/^prompts\//, '')
  return known[name] ?? { title, about: 'Another prompt of this home.', without: 'Not there.' }
}
