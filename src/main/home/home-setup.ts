import type { Disk } from '../disk/interface/disk'
import type { Permissions } from '../permission/permissions'
import type { Endpoint } from '../settings/endpoint/endpoint'
import type { Settings } from '../settings/settings'
import type { Tool, ToolDefinition } from '../tools/base/tool'
import type { Hooks } from '../tools/hooks/hooks'
import type { ConversationsSetup } from './conversations'
import type { HomeEvents } from './home'
import type { WorkerPaths } from './workers'

/** What a home is opened with. */
export interface HomeSetup
  extends Pick<ConversationsSetup, 'roots' | 'readers' | 'isPartial' | 'cacheFolder' | 'note'> {
  readonly disk: Disk
  /** The chibi home: absolute; need not exist. */
  readonly home: string
  /** Where Skein's own files of a person lie; need not exist. */
  readonly userFolder: string
  readonly settings: Settings
  readonly workers: WorkerPaths
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
  /** Where a person is asked, outside of the page. */
  readonly permissions: Pick<Permissions, 'ask'>
  /** The context length of an endpoint's model in tokens, where that is known. Never rejects. */
  readonly contextLength?: ((endpoint: Endpoint) => Promise<number | undefined>) | undefined
  /** Whether the requests of a context are logged. */
  readonly logsRequests?: ((context: string) => Promise<boolean>) | undefined
  /** Whether a model titles conversations by itself, and which one does; none, and the conversation's own, without it. */
  readonly titlesBy?:
    | (() => Promise<{ readonly isAllowed: boolean; readonly model: string | undefined }>)
    | undefined
}
