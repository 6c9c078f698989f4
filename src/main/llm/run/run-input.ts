import type { GivenTextFile } from '../../../shared/model/attachments/text-files'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { GivenImage } from '../../../shared/model/conversation/images'
import type { Protocol } from '../../../shared/model/settings/protocol'
import type { Scrub } from '../../settings/base/scrub'
import type { ChangedPrompt } from '../../store/prompt-texts'
import type { TranscriptWriter } from '../../store/store'
import type { Tool } from '../../tools/base/tool'
import type { Hooks } from '../../tools/hooks/hooks'
import type { WireParameters } from '../chat/parameters'
import type { ProviderStream } from '../chat/provider'
import type { AutomaticCompaction } from '../compaction/automatic'
import type { Prompt } from '../prompt/messages'
import type { ReadImage } from '../request/images'
import type { RequestBody } from '../request/request-body'
import type { ToolOutputStore } from '../steps/call-hooks'
import type { AskConsent } from '../steps/consent'
import type { KeepFile } from '../steps/keep-file'
import type { FallbackTool } from '../steps/run-hooks'
import type { KeepImages, RunInbox } from '../steps/user-message'
import type { Clock } from '../timing/clock'
import type { ToolLimits } from './call-tool'

/** The message, the prompt and the parameters of a run. */
export interface RunInput {
  /** The person's text; without it the model is asked again from the present window. */
  readonly text?: string | undefined
  /** The id of the entry that the text becomes; a new one where it is absent. */
  readonly entryId?: EntryId | undefined
  /** A user message that the window has already, as hooks left it: a branch begins with it. In the place of `text`. */
  readonly writtenText?: string | undefined
  /** Images of the message, whose text may be '' then. */
  readonly images?: readonly GivenImage[] | undefined
  /** Text files of the message, whose text may be '' then. */
  readonly files?: readonly GivenTextFile[] | undefined
  readonly model: string
  readonly username: string
  readonly prompt: Prompt | PromptSource
  /**
   * The fuel of the run: a round of calls costs 1, as does another turn of the model's own; a round that
   * repeats a call of the round before, and an answer without a word, cost `idleCost`. Absent: 30, chibi's own
   * number. 0: without a limit.
   */
  readonly fuel?: number | undefined
  /** 15 where it is absent. */
  readonly idleCost?: number | undefined
  /**
   * The meaning of an answer of text alone: `call_user` (where it is absent) ends the turn, `call_agent` lets the model
   * continue with another one until it calls call_user. Without that tool nothing could end it, and it ends.
   */
  readonly fallback?: FallbackTool | undefined
  readonly parameters?: WireParameters | undefined
  /** Host and port of the server that is asked: its returned fields go back to it. */
  readonly server?: string | undefined
  /** The API in which it is asked. */
  readonly protocol?: Protocol | undefined
}

/** A prompt that is built anew for each turn: notes and plugins may have changed it. */
interface PromptSource {
  /** The context's or home's prompt where it is another one than the last run's. */
  changed(): Promise<ChangedPrompt | undefined>
  /** Called once the change is in the transcript. Never rejects. */
  recorded(): Promise<void>
  /** @throws AppError `unreadable` */
  build(signal: AbortSignal): Promise<Prompt>
}

/** Everything that a run works with. */
export interface RunDeps {
  /** Open for the whole run; the caller closes it afterwards. */
  readonly writer: TranscriptWriter
  readonly provider: ProviderStream
  readonly clock: Clock
  readonly newId: () => EntryId
  /** The tools that the model may call; without it none is offered, and calls are not made. */
  readonly tools?: readonly Tool[] | undefined
  /** Asked before a tool that writes; without it such a tool does not run. */
  readonly consent?: AskConsent | undefined
  readonly toolLimits?: Partial<ToolLimits> | undefined
  /** The hooks of the run; none where it is absent. */
  readonly hooks?: Hooks | undefined
  readonly inbox?: RunInbox | undefined
  /** Keeps what floods in a file; without it that is cut. */
  readonly outputs?: ToolOutputStore | undefined
  readonly readImage?: ReadImage | undefined
  /** Without it a message can have no images. */
  readonly keepImages?: KeepImages | undefined
  /** Keeps what a model answers with that is no image. */
  readonly keepFile?: KeepFile | undefined
  /** Logs each request. Never rejects. */
  readonly logRequest?: ((body: RequestBody) => Promise<void>) | undefined
  /** Takes the key out of what the answers keep of their requests. */
  readonly scrub?: Scrub | undefined
  /** Keeps the requests within the context window; without it they may exceed it. */
  readonly compaction?: AutomaticCompaction | undefined
  /** The context's summary, for the hook `pre_message`. */
  readonly summary?: string | undefined
}
