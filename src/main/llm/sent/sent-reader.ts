import { AppError } from '../../../shared/model/basics/errors'
import { entryTimeMs } from '../../../shared/model/basics/time'
import { weightOf } from '../../../shared/model/basics/weight'
import { type Entry, type EntryId, isAnchor } from '../../../shared/model/conversation/entry'
import {
  allowGaps,
  requireWhole,
  type UnreadPart,
} from '../../../shared/model/conversation/reading'
import { type ContextOrigin, contextOrigin } from '../../../shared/model/family/family'
import { adaptationsOf } from '../../../shared/model/run/adaptations'
import type { Sent, SentAround } from '../../../shared/model/run/sent'
import { entryModel, entryUsage } from '../../../shared/model/run/usage'
import { scrubber } from '../../settings/base/scrub'
import { endpointKeys } from '../../settings/endpoint/endpoint'
import { type ContextAsOf, readAsOf } from '../../store/context-window'
import { isContextName } from '../../store/paths'
import { readLoggedRequests } from '../../store/texts/request-log'
import { chatForm, type WireRequest } from '../request/chat-form'
import { readEntryImages } from '../request/images'
import { RequestMetadata } from '../request/request-metadata'
import { estimateCounter, type Tokenizers } from '../tokens/counter'
import { keptImageCount } from '../tokens/estimate'
import { type CurrentStateDeps, imageReader, knownTools, readCurrentState } from './current-state'
import { findLogged, isSameMessage, requestTimeSpan } from './logged'
import { readNeighbours, requireAnswer } from './neighbours'
import { notesOnLogged, notesOnRebuilt } from './notes'
import { arrayOrEmpty, partsOfRequest } from './parts'
import { systemCandidates } from './prompt-candidates'
import {
  type LaterChanges,
  type PromptEvidence,
  readLaterChanges,
  readPromptEvidence,
} from './prompt-evidence'
import { type RebuildInput, type RebuiltRequest, rebuildRequest, wireMessages } from './rebuild'

export interface SentDeps extends CurrentStateDeps {
  /** Tokens are estimated where it is absent. */
  readonly tokenizers?: Tokenizers | undefined
  /** A longer window is not put together, which is done at once; of any length where it is absent. In characters. */
  readonly mostCharacters?: number | undefined
}

/** Tells what a model was sent before an answer. Only reads, whoever holds the lock. */
export interface SentReader {
  /** @throws AppError `not-found`, `bad-argument` (no answer; copied from another system's conversation), `unreadable` */
  of(context: string, id: EntryId, signal?: AbortSignal): Promise<Sent>
  /** The whole request, without the bytes of its images. @throws as `of` */
  body(context: string, id: EntryId, signal?: AbortSignal): Promise<WireRequest>
  /** @throws as `of` */
  around(context: string, id: EntryId, signal?: AbortSignal): Promise<SentAround>
}

/** How many of the last messages must be the same for a request that has no digest. */
const lastMessages = 2

export function openSentReader(deps: SentDeps): SentReader {
  const { disk, home, tokenizers } = deps
  function at<T>(
    name: string,
    id: EntryId,
    look: (moment: ContextAsOf) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const looked = async (moment: ContextAsOf) => {
      await requireAnswer(moment)
      if (moment.entry.metadata?.adopted !== undefined)
        throw new AppError(
          'bad-argument',
          "This answer was taken over from another system's conversation: what its model was sent is not known here.",
        )
      return look(moment)
    }
    return readAsOf({ disk, home, name }, id, looked, signal)
  }
  const found = (context: string, id: EntryId, signal: AbortSignal | undefined) =>
    at(context, id, (moment) => requestAt(moment, context, deps, signal), signal)
  return {
    async of(context, id, signal) {
      const { entry, request, entryIds, model, ...told } = await found(context, id, signal)
      const usage = entryUsage(entry)
      const counter = tokenizers?.counterFor(model) ?? estimateCounter
      return {
        ...told,
        entryId: id,
        answeredAtMs: entryTimeMs(entry.timestamp) ?? null,
        ...(model === undefined ? {} : { model }),
        ...(await partsOfRequest(request, (index) => entryIds[index] ?? [], counter)),
        ...(usage === undefined ? {} : { told: usage }),
      }
    },
    async body(context, id, signal) {
      return (await found(context, id, signal)).request
    },
    around: (context, id, signal) => at(context, id, readNeighbours, signal),
  }
}

interface FoundSent extends Pick<Sent, 'origin' | 'match' | 'sentAtMs' | 'notes'> {
  readonly entry: Entry
  readonly model: string | undefined
  readonly request: WireRequest
  readonly entryIds: readonly (readonly EntryId[])[]
}

async function requestAt(
  moment: ContextAsOf,
  context: string,
  deps: SentDeps,
  signal: AbortSignal | undefined,
): Promise<FoundSent> {
  const { entry } = moment
  const unread = new Set<string>()
  const onGap = ({ sentence }: UnreadPart) => void unread.add(sentence)
  const window = await moment.window(onGap)
  requireSmallWindow(window, deps.mostCharacters)
  const origin = findOriginal(window)
  const kept = RequestMetadata.safeParse(entry.metadata?.request).data
  const model = kept?.model ?? entryModel(entry)
  const images = await readEntryImages(window, imageReader(deps, context))
  const said = wireMessages(window, images, kept)

  const span = requestTimeSpan(entry, await firstOf(requireWhole(moment.before())))
  if (span !== undefined) {
    const last = said.slice(-lastMessages).map(({ message }) => message)
    // Of a copy, the record stands where the answer was asked for.
    const asked = origin !== undefined && isContextName(origin.key) ? origin.key : context
    const records = readLoggedRequests(deps.disk, deps.home, asked, span, signal)
    const logged = await findLogged(records, entry, kept, model, last)
    if (logged !== undefined)
      return {
        entry,
        model: typeof logged.request.model === 'string' ? logged.request.model : model,
        origin: 'log',
        match: logged.byDigest ? 'exact' : 'unknown',
        sentAtMs: entryTimeMs(logged.timestamp) ?? null,
        request: logged.request,
        entryIds: alignedIds(arrayOrEmpty(chatForm(logged.request).messages), said),
        notes: notesOnLogged(logged),
      }
  }

  const settings = await deps.runSettings(context)
  const endpoint = await deps.endpoint(context)
  const { now, unread: unreadNow } = await readCurrentState(deps, context, settings, endpoint)
  // An answer is from its context, whose name may be another one since.
  const { tools, unknown } = await knownTools(deps, entry.from, settings, kept?.tools ?? [], signal)
  const remains: RebuildInput = {
    window,
    images,
    model,
    parameters: kept?.parameters ?? {},
    tools,
    isWithoutImages: arrayOrEmpty(entry.metadata?.without_parameters).includes('images'),
    isWithoutThoughts: arrayOrEmpty(entry.metadata?.without_parameters).includes('thoughts'),
    adapted: adaptationsOf(entry.metadata),
    kept,
    scrub: scrubber(...endpointKeys(endpoint)),
  }
  const hasTools = tools.length > 0
  const tried = (told: PromptEvidence, later?: LaterChanges) =>
    rebuildRequest(remains, systemCandidates(window, told, later, now, hasTools))
  const near = await tried(
    await readPromptEvidence(allowGaps(moment.before(), onGap), context, 'window'),
  )
  if (near?.match === 'exact') return asFound(near, [])
  // The digest tells that something is otherwise: now it is worth reading the whole transcript.
  const told = await readPromptEvidence(allowGaps(moment.before(), onGap), context, 'all')
  const later = await readLaterChanges(allowGaps(moment.after(), onGap))
  const far = await tried(told, later)
  if (far === undefined) throw new AppError('unreadable', 'The request cannot be put together.')
  const missing = window.reduce((sum, one) => sum + keptImageCount(one), 0) - imageCount(images)
  const doubts = {
    kept,
    told,
    later,
    unknown,
    isCopy: origin !== undefined,
    missingImages: Math.max(0, missing),
    unread: [...unread, ...unreadNow],
  }
  return asFound(far, notesOnRebuilt(far.match, doubts))

  function asFound({ request, entryIds, match }: RebuiltRequest, notes: string[]): FoundSent {
    return { entry, model, origin: 'rebuilt', match, sentAtMs: null, request, entryIds, notes }
  }
}

function requireSmallWindow(window: readonly Entry[], most = Number.POSITIVE_INFINITY): void {
  if (weightOf(window, most) <= most) return
  const millions = Math.floor(most / 1_000_000)
  throw new AppError(
    'bad-argument',
    `What the model was sent has more than ${millions} million characters, too many to show here; "skein show KEY --sent ENTRY_ID" prints it.`,
  )
}

/** Where an answer comes from that stands among what a context began with; undefined where it was asked for here. */
function findOriginal(window: readonly Entry[]): ContextOrigin | undefined {
  const [anchor, ...others] = window
  const origin = anchor !== undefined && isAnchor(anchor) ? contextOrigin(anchor) : undefined
  return origin !== undefined && others.length < origin.entries ? origin : undefined
}

/** The entries of a log's messages: those that are the same, from the last one on backwards. */
function alignedIds(
  messages: readonly unknown[],
  said: ReturnType<typeof wireMessages>,
): readonly (readonly EntryId[])[] {
  const ids: (readonly EntryId[])[] = messages.map(() => [])
  for (let back = 1; back <= Math.min(messages.length, said.length); back++) {
    const one = said.at(-back)
    if (one === undefined || !isSameMessage(messages.at(-back), one.message)) break
    ids[messages.length - back] = one.entryIds
  }
  return ids
}

function imageCount(images: ReadonlyMap<EntryId, readonly string[]>): number {
  return [...images.values()].reduce((sum, { length }) => sum + length, 0)
}

async function firstOf<T>(all: AsyncIterable<T>): Promise<T | undefined> {
  for await (const one of all) return one
  return undefined
}
