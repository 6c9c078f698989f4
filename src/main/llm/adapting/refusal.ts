import type { Adaptation, RequestAdjustment } from '../../../shared/model/run/adaptations'
import { refusedParameter } from '../chat/parameters'
import type { ProviderError, ProviderRequest } from '../chat/provider'
import { withoutImages } from '../request/images'
import { withoutReturnedFields } from '../request/returned-fields'
import { responsesName } from '../responses/parameters'
import { effectiveAdaptations } from './adapt-messages'
import { type AdjustedRequest, isSameAdjustment } from './adjust-request'

/** Adjustments to make next, all at once. */
export interface NextAdjustments {
  readonly adjustments: readonly RequestAdjustment[]
  /** Holds for the model, and not for this request alone. */
  readonly isKept: boolean
  /** The server did not say what it refuses. */
  readonly isGuess: boolean
}

/**
 * Finds the next adjustment for a server that refused a request, from the words of its refusal. Where a bad request
 * (400 or 422) is refused in unknown words, it guesses step by step, the least loss first; a page of a gateway is no
 * such refusal. Returns undefined where nothing is left to adjust.
 */
export function nextStep(
  refusal: ProviderError,
  request: ProviderRequest,
  earlier: readonly RequestAdjustment[],
  sent: AdjustedRequest,
): NextAdjustments | undefined {
  const isNew = (one: RequestAdjustment) => !earlier.some((before) => isSameAdjustment(before, one))
  const isOfUse = (one: RequestAdjustment) => isNew(one) && changesRequest(one, request, sent)
  const named = byWords(refusal, request, sent).find(({ adjustment }) => isOfUse(adjustment))
  if (named !== undefined)
    return { adjustments: [named.adjustment], isKept: named.isKept ?? true, isGuess: false }
  const { code, fault } = refusal
  if (code !== 'bad-request' || (fault.status !== 400 && fault.status !== 422)) return undefined
  // A page is of a gateway that has not looked into the request.
  if (/^\s*</.test(fault.response ?? '')) return undefined
  for (const { adjustments, isKept } of guesses(request)) {
    const useful = adjustments.filter(isOfUse)
    if (useful.length > 0) return { adjustments: useful, isKept, isGuess: true }
  }
  return undefined
}

interface FoundAdjustment {
  readonly adjustment: RequestAdjustment
  readonly isKept?: boolean
}

const tools =
  /support.{0,20}\btools?\b|\btools?\b.{0,40}not (be )?supported|tool choice requires|tools param requires/i
const callIds = /tool.?call.?id|tool_use\.id|tool_use_id|tool_calls\[\d+\]\.id|tool_calls\.\d+\.id/i
const callIdFault = /length|pattern|must be|too long|match/i
const noSystem =
  /developer instruction is not enabled|(system|developer)['"`]? ?(role|message|prompt|instruction)s?.{0,40}(not|n't|un)[ -]?(be )?(support|allow|enable|accept)|(not|n't) (support|allow|accept).{0,30}\b(system|developer)\b|only user(,| and) (assistant|model)|(system|developer)['"`]? is not one of|input should be 'user'|unexpected role.{0,5}(system|developer)/i
const needsAlternatingRoles =
  /roles? must alternate|should be alternating|must alternate|alternate between|first message.{0,40}(must|should|needs)|(must|should) (start|begin) with.{0,30}\buser\b|start with (a |the )?user|comes immediately after a user turn|multiturn requests/i
const userLast =
  /(must|should) end with.{0,20}\buser\b|last (message|role|turn).{0,40}\b(user|tool)\b|prefill|expected last role/i
const nullContent =
  /content.{0,100}(\bnull\b|\bnone\b|nonetype|valid (string|list)|must be (a )?string|expected (a )?string)/is
const emptyContent =
  /non-?empty|(is|are|be|was) (empty|blank)|non-whitespace|empty (content|message|text|string)/i
const callWords =
  /\brole.{0,40}\btool\b|\btool['"`]? (role|message)|tool_use|tool_result|tool_calls|function (call|response)/i

/**
 * Finds the adjustments that the words may ask for, the likeliest first. A template's exception comes with status 500
 * as well.
 */
function byWords(
  refusal: ProviderError,
  request: ProviderRequest,
  sent: AdjustedRequest,
): readonly FoundAdjustment[] {
  const words = refusal.fault.response ?? ''
  const isBad = refusal.code === 'bad-request'
  const found: FoundAdjustment[] = []
  const add = (adjustment: RequestAdjustment, isKept = true) => found.push({ adjustment, isKept })
  const adapt = (way: Adaptation) => add({ type: 'adapt', way })

  if (/stream_options/.test(words)) add({ type: 'parameter', name: 'stream_options' })
  const parameter = isBad ? refusedOf(request, words, sent.parameters) : undefined
  if (parameter !== undefined) add({ type: 'parameter', name: parameter })
  if (imagesRefused(refusal)) {
    const isTheModel = !/format|size|large|process|decode|corrupt|invalid image/i.test(words)
    add({ type: 'without', what: 'images' }, isTheModel)
  }
  if (!isBad && refusal.code !== 'server' && refusal.code !== 'not-found') return found
  if (callIds.test(words) && callIdFault.test(words)) adapt('short-call-ids')
  if (noSystem.test(words)) {
    // OpenAI's own words for a model that wants its newer name for it.
    if (/does not support ['"`]?system/i.test(words)) adapt('system-as-developer')
    adapt('system-as-user')
  }
  if (needsAlternatingRoles.test(words)) {
    adapt('user-first')
    adapt('system-as-user')
    adapt('calls-as-words')
  }
  if (userLast.test(words)) adapt('user-last')
  if (nullContent.test(words)) adapt('no-null-content')
  if (emptyContent.test(words)) adapt('no-empty-content')
  if (isBad && !asksForThoughts(words) && /reasoning|thought|thinking|extra|encrypted/i.test(words))
    add({ type: 'without', what: 'thoughts' })
  if (tools.test(words)) add({ type: 'without', what: 'tools' })
  if (callWords.test(words)) adapt('calls-as-words')
  // Something in the tools themselves, such as a name or a schema: other tools may be taken.
  if (isBad && /\btools?[[.]\d+/i.test(words)) add({ type: 'without', what: 'tools' }, false)
  return found
}

/**
 * Returns true where a server complains that an answer came back without its thoughts, as DeepSeek, Moonshot, Google
 * and Anthropic do.
 */
export function asksForThoughts(words: string): boolean {
  const isNamed = /reasoning|thought|thinking/i.test(words)
  // Reasoning that nothing follows is one too many.
  return isNamed && isMissing.test(words) && !/following item/i.test(words)
}

const isMissing =
  /\bmissing\b|must be (passed|provided|included)|without its|expected .{0,3}thinking|is required/i

/** Finds the parameter that is refused by the name that it has in the request's API. */
function refusedOf(
  { protocol }: ProviderRequest,
  words: string,
  names: readonly string[],
): string | undefined {
  if (protocol !== 'responses')
    return refusedParameter(
      words,
      names.filter((name) => name !== 'stream_options'),
    )
  // OpenAI's words for models that do not reason.
  if (names.includes('include') && /encrypted content is not supported/i.test(words))
    return 'include'
  const refusedName = refusedParameter(words, names.map(responsesName))
  return names.find((name) => responsesName(name) === refusedName)
}

/** Tells whether images are refused, as OpenRouter, OpenAI, Ollama and vLLM say it of a model that sees nothing. */
function imagesRefused({ code, fault }: ProviderError): boolean {
  const isSaid = /\b(image|vision|multimodal)/i.test(fault.response ?? '')
  return isSaid && (code === 'bad-request' || code === 'not-found')
}

/**
 * Lists what is left out where a server says nothing of use, the least loss first; what takes something away is not
 * kept.
 */
function guesses(request: ProviderRequest): readonly Omit<NextAdjustments, 'isGuess'>[] {
  const parameter = (name: string): RequestAdjustment => ({ type: 'parameter', name })
  const adapt = (way: Adaptation): RequestAdjustment => ({ type: 'adapt', way })
  const names = [
    'stream_options',
    // Left out without a word of the server's, it would have the conversation stored there.
    ...Object.keys(request.parameters ?? {}).filter((name) => name !== 'store'),
    // What `max_tokens` becomes where it is refused.
    'max_completion_tokens',
  ]
  return [
    { adjustments: [...names.map(parameter), { type: 'without', what: 'thoughts' }], isKept: true },
    {
      adjustments: [
        adapt('user-first'),
        adapt('user-last'),
        adapt('no-empty-content'),
        adapt('short-call-ids'),
      ],
      isKept: true,
    },
    { adjustments: [adapt('system-as-user')], isKept: true },
    { adjustments: [{ type: 'without', what: 'tools' }, adapt('calls-as-words')], isKept: false },
    { adjustments: [{ type: 'without', what: 'images' }], isKept: false },
  ]
}

/** Tells whether a request would go out otherwise. */
function changesRequest(
  one: RequestAdjustment,
  request: ProviderRequest,
  sent: AdjustedRequest,
): boolean {
  switch (one.type) {
    case 'parameter':
      return sent.parameters.includes(one.name)
    case 'adapt':
      return effectiveAdaptations(sent.messages, [one.way]).length > 0
    case 'without':
      switch (one.what) {
        case 'tools':
          return sent.hasTools
        case 'images':
          return withoutImages(request.messages) !== undefined
        case 'thoughts':
          return withoutReturnedFields(request.messages) !== undefined
      }
  }
}
