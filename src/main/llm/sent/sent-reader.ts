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

/** Everything that reading sent requests needs. */
export interface SentDeps extends CurrentStateDeps {
  /** Tokens are estimated where it is absent. */
  readonly tokenizers?: Tokenizers | undefined
  /** A longer window is not put together, which is done at once; of any length where it is absent. In characters. */
  readonly mostCharacters?: number | undefined
}

/** Reader of the requests behind answers. It only reads, and needs no lock. */
export interface SentReader {
  /**
   * @throws AppError `not-found`, `bad-argument` (no answer; copied from another system's conversation), `unreadable`
   */
  of(context: string, id: EntryId, signal?: AbortSignal): Promise<Sent>
  /** The whole request, without the bytes of its images. @throws as `of` */
  body(context: string, id: EntryId, signal?: AbortSignal): Promise<WireRequest>
  /** @throws as `of` */
  around(context: string, id: EntryId, signal?: AbortSignal): Promise<SentAround>
}

/** The number of last messages that must be the same for a request without a digest. */
const lastMessages = 2

/** Returns the reader of a home's sent requests. */
export function openSentReader(deps: SentDeps): SentReader {
  const { disk, home, tokenizers } = deps
  function at<T>(
    name: string,
    id: EntryId,
    read: (asOf: ContextAsOf) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const checked = async (asOf: ContextAsOf) => {
      await requireAnswer(asOf)
      if (asOf.entry.metadata?.adopted !== undefined)
        throw new AppError(
          'bad-argument',
          "This answer comes from another system's conversation: the request that was sent is unknown.",
        )
      return read(asOf)
    }
    return readAsOf({ disk, home, name }, id, checked, signal)
  }
  const found = (context: string, id: EntryId, signal: AbortSignal | undefined) =>
    at(context, id, (asOf) => requestAt(asOf, context, deps, signal), signal)
  return {
    async of(context, id, signal) {
      const { entry, request, entryIds, model, ...facts } = await found(context, id, signal)
      const usage = entryUsage(entry)
      const counter = tokenizers?.counterFor(model) ?? estimateCounter
      return {
        ...facts,
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
  asOf: ContextAsOf,
  context: string,
  deps: SentDeps,
  signal: AbortSignal | undefined,
): Promise<FoundSent> {
  const { entry } = asOf
  const unread = new Set<string>()
  const onGap = ({ sentence }: UnreadPart) => void unread.add(sentence)
  const window = await asOf.window(onGap)
  requireSmallWindow(window, deps.mostCharacters)
  const origin = findOriginal(window)
  const kept = RequestMetadata.safeParse(entry.metadata?.request).data
  const model = kept?.model ?? entryModel(entry)
  const images = await readEntryImages(window, imageReader(deps, context))
  const conversation = wireMessages(window, images, kept)

  const span = requestTimeSpan(entry, await firstOf(requireWhole(asOf.before())))
  if (span !== undefined) {
    const last = conversation.slice(-lastMessages).map(({ message }) => message)
    // The log of a copied answer is where its request went out.
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
        entryIds: alignedIds(arrayOrEmpty(chatForm(logged.request).messages), conversation),
        notes: notesOnLogged(logged),
      }
  }

  const settings = await deps.runSettings(context)
  const endpoint = await deps.endpoint(context)
  const { now, unread: unreadNow } = await readCurrentState(deps, context, settings, endpoint)
  // An answer is from its context, whose name may be another one since.
  const { tools, unknown } = await knownTools(deps, entry.from, settings, kept?.tools ?? [], signal)
  const input: RebuildInput = {
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
  const tried = (evidence: PromptEvidence, later?: LaterChanges) =>
    rebuildRequest(input, systemCandidates(window, evidence, later, now, hasTools))
  const near = await tried(
    await readPromptEvidence(allowGaps(asOf.before(), onGap), context, 'window'),
  )
  if (near?.match === 'exact') return asFound(near, [])
  // The digest differs: now it is worth reading the whole transcript.
  const evidence = await readPromptEvidence(allowGaps(asOf.before(), onGap), context, 'all')
  const later = await readLaterChanges(allowGaps(asOf.after(), onGap))
  const far = await tried(evidence, later)
  if (far === undefined) throw new AppError('unreadable', 'The request cannot be rebuilt.')
  const missing = window.reduce((sum, one) => sum + keptImageCount(one), 0) - imageCount(images)
  const caveats = {
    kept,
    evidence,
    later,
    unknown,
    isCopy: origin !== undefined,
    missingImages: Math.max(0, missing),
    unread: [...unread, ...unreadNow],
  }
  return asFound(far, notesOnRebuilt(far.match, caveats))

  function asFound({ request, entryIds, match }: RebuiltRequest, notes: string[]): FoundSent {
    return { entry, model, origin: 'rebuilt', match, sentAtMs: null, request, entryIds, notes }
  }
}

function requireSmallWindow(window: readonly Entry[], most = Number.POSITIVE_INFINITY): void {
  if (weightOf(window, most) <= most) return
  const millions = Math.floor(most / 1_000_000)
  throw new AppError(
    'bad-argument',
    `The request has more than ${millions} million characters, too many to show here; "skein show KEY --sent ENTRY_ID" prints it.`,
  )
}

/** Finds the origin of an answer that a context began with; undefined where its request went out from here. */
function findOriginal(window: readonly Entry[]): ContextOrigin | undefined {
  const [anchor, ...others] = window
  const origin = anchor !== undefined && isAnchor(anchor) ? contextOrigin(anchor) : undefined
  return origin !== undefined && others.length < origin.entries ? origin : undefined
}

/** The entries of a log's messages: those that are the same, from the last one on backwards. */
function alignedIds(
  messages: readonly unknown[],
  conversation: ReturnType<typeof wireMessages>,
): readonly (readonly EntryId[])[] {
  const ids: (readonly EntryId[])[] = messages.map(() => [])
  for (let back = 1; back <= Math.min(messages.length, conversation.length); back++) {
    const one = conversation.at(-back)
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
