import type { Disk } from '../disk/interface/disk'
import type { Permissions } from '../permission/permissions'
import type { Endpoint } from '../settings/endpoint/endpoint'
import type { Settings } from '../settings/settings'
import type { Tool, ToolDefinition } from '../tools/base/tool'
import type { Hooks } from '../tools/hooks/hooks'
import type { ConversationsSetup } from './conversations'
import type { HomeEvents } from './events'
import type { WorkerPaths } from './workers'

/** Setup of a home: where it is, and what it works with. */
export interface HomeSetup
  extends Pick<
    ConversationsSetup,
    'roots' | 'readers' | 'isPartial' | 'cacheFolder' | 'rowsAfterMs' | 'note' | 'print'
  > {
  readonly disk: Disk
  /** The chibi home: absolute; need not exist. */
  readonly home: string
  /** Where Skein's own files of a person lie; need not exist. */
  readonly userFolder: string
  readonly settings: Settings
  /** Threads that read for the home; the caller's own where it is absent. */
  readonly workers?: WorkerPaths | undefined
  /**
   * False for a command that is over soon: nothing on the disk is watched or read again to be told, and plugins hear of the
   * program only when it enters a context.
   */
  readonly isFollowed?: boolean
  /** Whether a person asked to be told of what goes on; plugins hear that. */
  readonly isVerbose?: boolean
  /** Tells the context that a program before this one was in last. */
  readonly contextBefore?: (() => Promise<string | undefined>) | undefined
  /** Hears what happens in the home. */
  readonly events?: Partial<HomeEvents>
  /** Plugins that hear its runs; nobody where it is absent. */
  readonly hooks?: Hooks | undefined
  /** Tools of a context's runs besides the built-in ones. */
  readonly moreTools?:
    | ((context: string, signal?: AbortSignal) => Promise<readonly Tool[]>)
    | undefined
  /** Tools of trusted plugins, as far as they are known without asking one. */
  readonly knownTools?: (() => readonly ToolDefinition[]) | undefined
  /** Where a person is asked on calls of its runs, outside of the page; without it those are denied. */
  readonly permissions?: Pick<Permissions, 'ask'> | undefined
  /** The context length of an endpoint's model in tokens, where that is known. Never rejects. */
  readonly contextLength?: ((endpoint: Endpoint) => Promise<number | undefined>) | undefined
  /** A longer request that a model was sent is not put together to be shown, in characters; any is where it is absent. */
  readonly mostSentCharacters?: number | undefined
  /** Whether the requests of a context are logged. */
  readonly logsRequests?: ((context: string) => Promise<boolean>) | undefined
  /** Whether a model titles conversations by itself, and which one does; none, and the conversation's own, without it. */
  readonly titlesBy?:
    | (() => Promise<{ readonly isAllowed: boolean; readonly model: string | undefined }>)
    | undefined
}
