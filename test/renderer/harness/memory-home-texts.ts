import type { Contract } from '../../../src/shared/ipc/contract'
import type { Handlers } from '../../../src/shared/ipc/wire/primitives'
import { AppError } from '../../../src/shared/model/basics/errors'
import {
  type HomeText,
  type HomeTextName,
  knownHomeTexts,
} from '../../../src/shared/model/settings/home-texts'
import {
  deletedPromptFile,
  deletedPromptOf,
  describePrompt,
  promptNameFault,
  promptNameOf,
} from '../../../src/shared/model/settings/saved-prompts'

/** The texts of a home, in memory. */
export interface MemoryHomeTexts {
  /** Somebody else writes one, or removes it. */
  write(name: HomeTextName, text: string | null): void
  /** Lets calls of a kind wait until they are released. */
  hold(call: 'readText' | 'prompts'): void
  /** Answers the calls that wait, or refuses them with words. */
  release(refusal?: string): void
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
  let held: 'readText' | 'prompts' | undefined
  let gate: Promise<void> = Promise.resolve()
  let open = (_refusal?: string): void => undefined
  return {
    write,
    hold(call) {
      held = call
      gate = new Promise((resolve, reject) => {
        open = (refusal) =>
          refusal === undefined ? resolve() : reject(new AppError('io', refusal))
      })
      // Where nobody waits for it, its refusal is nobody's.
      gate.catch(() => undefined)
    },
    release(refusal) {
      held = undefined
      open(refusal)
    },
    handlers: {
      texts: async () => list(),
      async prompts() {
        if (held === 'prompts') await gate
        return [...files].flatMap(([file, text]) => {
          const name = promptNameOf(file)
          if (name !== undefined) return [describePrompt(name, text)]
          const untyped = file.replace(/^prompts\/|\.md$/g, '')
          const fault = promptNameFault(untyped)
          const isOther = !file.startsWith('prompts/') || knownHomeTexts.includes(file)
          return isOther || deletedPromptOf(file) !== undefined || fault === undefined
            ? []
            : [{ name: untyped, about: '', fields: [], fault }]
        })
      },
      async renamePrompt({ from, to }) {
        if (files.has(to)) throw new AppError('bad-argument', 'There is a prompt of that name.')
        write(to, files.get(from) ?? '')
        write(from, null)
        return list()
      },
      async readText({ name }) {
        if (held === 'readText') await gate
        return { text: files.get(name) ?? null }
      },
      async writeText({ name, text, before }) {
        if ((files.get(name) ?? null) !== before)
          throw new AppError('busy', `${name} changed in the meantime.`)
        if (name === 'models.toml' && text?.includes('[models\n'))
          throw new AppError('bad-argument', 'Line 1 is not TOML.')
        const prompt = promptNameOf(name)
        const old = files.get(name)
        write(name, text)
        for (let n = 1; text === null && prompt !== undefined && old !== undefined; n++) {
          const kept = deletedPromptFile(prompt, n)
          if (kept === undefined || files.has(kept)) continue
          write(kept, old)
          break
        }
        return list()
      },
    },
  }
}
