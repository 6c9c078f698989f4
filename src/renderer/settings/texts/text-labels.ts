import type { HomeTextName } from '../../../shared/model/settings/home-texts'
import { deletedPromptOf, promptNameOf } from '../../../shared/model/settings/saved-prompts'

/** Labels of a text of the home: its name and its purpose. */
export interface HomeTextLabels {
  readonly title: string
  readonly about: string
  /** The text in place of a missing file. */
  readonly without: string
}

const known: Readonly<Record<string, HomeTextLabels>> = {
  'prompts/chibi.md': {
    title: 'System prompt',
    about: 'Sent first in each conversation without a system prompt of its own.',
    without: 'None.',
  },
  'prompts/reflection.md': {
    title: 'Reflection',
    about: 'What models remember across conversations: part of every prompt. Models edit it too.',
    without: 'None yet.',
  },
  'AGENTS.md': {
    title: 'Instructions for agents',
    about: 'Part of every prompt, after the system prompt.',
    without: 'None.',
  },
  'prompts/compaction.md': {
    title: 'Compaction',
    about: 'Asks the model to summarize all earlier messages.',
    without: 'Skein’s default.',
  },
  'prompts/continuation.md': {
    title: 'After a compaction',
    about: 'Introduces the summary in later requests.',
    without: 'Skein’s default.',
  },
  'prompts/title.md': {
    title: 'Titles',
    about: 'Asks the model for a title.',
    without: 'Skein’s default.',
  },
  'models.toml': {
    title: 'Single models',
    about: 'Context windows and parameters by model id. No keys, no addresses.',
    without: 'None: the providers’ values are used.',
  },
}

/** Returns the labels of a text; for a saved or deleted prompt, what is typed for it. */
export function homeTextLabels(name: HomeTextName): HomeTextLabels {
  const title = `/${promptNameOf(name) ?? deletedPromptOf(name) ?? name}`
  return known[name] ?? { title, about: 'A saved prompt.', without: 'Not saved yet.' }
}
