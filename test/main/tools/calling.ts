import fs from 'node:fs'
import path from 'node:path'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import type { Tool, ToolOutcome, ToolPreview } from '../../../src/main/tools/base/tool'
import { type BuiltInDeps, builtInTools } from '../../../src/main/tools/index'

type Args = Readonly<Record<string, unknown>>

/** The built-in tools over real folders: a home with two contexts, and a folder that is allowed. */
export interface Calling {
  readonly home: string
  readonly allowed: string
  readonly tools: readonly Tool[]
  /** Where a name of the allowed folder lies. */
  readonly at: (name: string) => string
  readonly put: (name: string, content: string | Uint8Array) => string
  readonly call: (name: string, args: Args, signal?: AbortSignal) => Promise<ToolOutcome>
  /** The text of a result; throws where the outcome is an error. */
  readonly text: (name: string, args: Args) => Promise<string>
  /** The text of an error; throws where the outcome is a result. */
  readonly error: (name: string, args: Args) => Promise<string>
  readonly preview: (name: string, args: Args) => Promise<ToolPreview | undefined>
}

export function calling(root: string, deps: Partial<BuiltInDeps> = {}): Calling {
  const home = path.join(root, 'home')
  const allowed = path.join(root, 'allowed')
  fs.mkdirSync(path.join(home, 'contexts', 'garden'), { recursive: true })
  fs.mkdirSync(path.join(home, 'contexts', 'zoo', 'transcript'), { recursive: true })
  fs.mkdirSync(allowed, { recursive: true })
  const base = { disk: nodeDisk, home, context: 'garden', allowedPaths: [allowed] }
  const tools = builtInTools({ ...base, ...deps })
  const named = (name: string) => {
    const tool = tools.find((each) => each.name === name)
    if (tool === undefined) throw new Error(`no tool ${name}`)
    return tool
  }
  const live = new AbortController().signal
  const call: Calling['call'] = (name, args, signal = live) => named(name).run(args, signal)
  const at = (name: string) => path.join(allowed, name)
  const textOf = (type: ToolOutcome['type']) => async (name: string, args: Args) => {
    const outcome = await call(name, args)
    if (outcome.type !== type) throw new Error(`${outcome.type}: ${outcome.text}`)
    return outcome.text
  }
  return {
    home,
    allowed,
    tools,
    at,
    put(name, content) {
      fs.mkdirSync(path.dirname(at(name)), { recursive: true })
      fs.writeFileSync(at(name), content)
      return at(name)
    },
    call,
    text: textOf('result'),
    error: textOf('error'),
    preview: async (name, args) => named(name).preview?.(args, live),
  }
}
