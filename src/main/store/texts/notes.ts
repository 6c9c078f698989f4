import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { contextPaths } from '../core/home-paths'

/** The plain text files of a context and its home; a missing one is left out. */
export interface NoteTexts {
  readonly todos?: string
  readonly goals?: string
  readonly summary?: string
  /** The context's own, else the home's. */
  readonly systemPrompt?: string
  readonly reflection?: string
}

/** Reads todos.md, goals.md, summary.md, system_prompt.md (else prompts/chibi.md) and prompts/reflection.md. */
export async function readNotes(disk: Disk, home: string, name: string): Promise<NoteTexts> {
  const { folder } = contextPaths(home, name)
  const read = (...parts: string[]) => readSmallText(disk, path.join(...parts))
  const [todos, goals, summary, ownPrompt, reflection] = await Promise.all([
    read(folder, 'todos.md'),
    read(folder, 'goals.md'),
    read(folder, 'summary.md'),
    read(folder, 'system_prompt.md'),
    read(home, 'prompts', 'reflection.md'),
  ])
  const systemPrompt = ownPrompt ?? (await read(home, 'prompts', 'chibi.md'))
  return {
    ...(todos === undefined ? {} : { todos }),
    ...(goals === undefined ? {} : { goals }),
    ...(summary === undefined ? {} : { summary }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(reflection === undefined ? {} : { reflection }),
  }
}
