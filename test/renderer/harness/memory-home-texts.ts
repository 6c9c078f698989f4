import type { Contract } from '../../../src/shared/ipc/contract'
import type { Handlers } from '../../../src/shared/ipc/wire/primitives'
import { AppError } from '../../../src/shared/model/basics/errors'
import {
  type HomeText,
  type HomeTextName,
  knownHomeTexts,
} from '../../../src/shared/model/settings/home-texts'
import { describePrompt, promptNameOf } from '../../../src/shared/model/settings/saved-prompts'

/** The texts of a home, in memory. */
export interface MemoryHomeTexts {
  /** Somebody else writes one, or removes it. */
  write(name: HomeTextName, text: string | null): void
  readonly handlers: Pick<
    Handlers<Contract['settings']>,
    'texts' | 'readText' | 'writeText' | 'prompts' | 'renamePrompt'
  >
}

export function createMemoryHomeTexts(): MemoryHomeTexts {
  const files = new Map<HomeTextName, string>([
    ['prompts/reflection.md', 'Rain is measured in millimetres.'],
    ['prompts/zoo.md', 'Animals'],
  ])
  const list = (): HomeText[] =>
    [...new Set([...knownHomeTexts, ...files.keys()])].map((name) => ({
      name,
      bytes: files.get(name)?.length ?? null,
    }))
  function write(name: HomeTextName, text: string | null): void {
    if (text === null) files.delete(name)
    else files.set(name, text)
  }
  return {
    write,
    handlers: {
      texts: async () => list(),
      prompts: async () =>
        [...files].flatMap(([file, text]) => {
          const name = promptNameOf(file)
          return name === undefined ? [] : [describePrompt(name, text)]
        }),
      async renamePrompt({ from, to }) {
        if (files.has(to)) throw new AppError('bad-argument', 'There is a prompt of that name.')
        write(to, files.get(from) ?? '')
        write(from, null)
        return list()
      },
      readText: async ({ name }) => ({ text: files.get(name) ?? null }),
      async writeText({ name, text, before }) {
        if ((files.get(name) ?? null) !== before)
          throw new AppError('busy', `${name} changed in the meantime.`)
        if (name === 'models.toml' && text?.includes('[models\n'))
          throw new AppError('bad-argument', 'Line 1 is not TOML.')
        write(name, text)
        return list()
      },
    },
  }
}
