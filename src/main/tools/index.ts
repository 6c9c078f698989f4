import type { Disk } from '../disk/interface/disk'
import type { Tool } from './base/tool'
import { findingTools } from './files/find-files'
import { grepTool } from './files/grep'
import { listTool } from './files/list-folder'
import { readingTools } from './files/read-files'
import { writeTool } from './files/write-file'
import { flowTools } from './flow'
import { type Hooks, noHooks } from './hooks/hooks'
import { type CreateContext, inboxSender, messageTool, type SendMessage } from './messages'
import { notesTools } from './notes'

/** Everything that the built-in tools need. */
export interface BuiltInDeps {
  readonly disk: Disk
  readonly home: string
  /** The name of the context that the run belongs to; its folder is there. */
  readonly context: string
  /** Absolute folders that the file tools may use; relative paths are relative to the first. May be empty. */
  readonly allowedPaths: readonly string[]
  /** The folders of Skein's settings, keys, trust and caches: kept from the file tools. */
  readonly ownFolders?: readonly string[] | undefined
  /** Most characters of one result, with its remark about the cut; 30,000 where not given. */
  readonly maxResultChars?: number
  /** Without it the reflection is not offered for writing. */
  readonly reflection?: boolean
  /** Bytes of reflection.md (chibi's reflection_character_limit); 10,000 where not given. */
  readonly reflectionLimitBytes?: number
  /** Replaces the append to the other context's inbox. Called only for contexts that exist. */
  readonly sendMessage?: SendMessage
  /** Makes a context that a message goes to; without it such a message is refused. */
  readonly createContext?: CreateContext | undefined
  /** The hooks that are called before and after a message is sent. */
  readonly hooks?: Hooks
  /** In milliseconds; the system's clock where not given. */
  readonly now?: () => number
}

const usualResultChars = 30_000
/** Room for the remark; its longest is some 200 characters. */
const remarkChars = 300

/** Lists the names that no plugin's tool can have. */
export function builtInNames(disk: Disk, home: string): readonly string[] {
  const tools = builtInTools({ disk, home, context: 'any', allowedPaths: [home] })
  return tools.map(({ name }) => name)
}

/**
 * Returns the tools of every run: notes, messages, flow, those that read files or kept outputs, and where a folder
 * is allowed, those that find and write files. Without one they could only fail.
 */
export function builtInTools(deps: BuiltInDeps): readonly Tool[] {
  const { disk, home, context, allowedPaths, now = Date.now, hooks = noHooks } = deps
  const {
    reflection = true,
    reflectionLimitBytes = 10_000,
    maxResultChars = usualResultChars,
  } = deps
  const send = deps.sendMessage ?? inboxSender(disk, home, now)
  const fits = Math.max(maxResultChars - remarkChars, Math.ceil(maxResultChars / 2))
  const allowed = { disk, home, allowedPaths, ownFolders: deps.ownFolders ?? [] }
  const kept = { disk, home, context }
  const reading = [...readingTools(allowed, kept, fits), grepTool(allowed, kept, fits)]
  return [
    ...notesTools({ disk, home, context, reflectionLimitBytes }).filter(
      ({ name }) => reflection || name !== 'update_reflection',
    ),
    messageTool({ disk, home, context, send, hooks, createContext: deps.createContext }),
    ...flowTools,
    ...(allowedPaths.length === 0
      ? reading
      : [listTool(allowed, fits), ...reading, ...findingTools(allowed, fits), writeTool(allowed)]),
  ]
}
