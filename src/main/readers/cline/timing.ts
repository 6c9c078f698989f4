import type { RequestUsage, Screen, ShownRequest } from './screen'

/** A message without its content. */
export interface PlainMessage {
  readonly role: unknown
  /** Unix milliseconds. */
  readonly at: number | undefined
}

/** Facts of a message that the screen has. */
export interface ScreenFacts {
  readonly at: number | undefined
  readonly usage: RequestUsage | undefined
}

/**
 * Finds the times of messages that have none, and the tokens of answers, by the requests on the screen: each is answered by one
 * message. What was sent for no answer is at the last one, so that the sum is right.
 */
export function tellMessages(
  messages: readonly PlainMessage[],
  screen: Screen,
): readonly ScreenFacts[] {
  const told: { at: number | undefined; usage: RequestUsage | undefined }[] = messages.map(
    ({ at }) => ({ at, usage: undefined }),
  )
  const [first] = told
  if (first !== undefined) first.at ??= screen.times[0]
  const requestTimes = new Set(screen.requests.map(({ at }) => at))
  const shown = screen.times.filter((time) => !requestTimes.has(time)).sort((a, b) => a - b)
  for (const [answer, own] of requestsOf(messages, screen.requests)) {
    const one = told[answer]
    const [began] = own
    const last = own.at(-1)
    if (one === undefined || began === undefined || last === undefined) continue
    one.usage = own.map(({ usage }) => usage).reduce(sum, undefined)
    const asked = messages[answer - 1]?.role === 'assistant' ? undefined : told[answer - 1]
    if (asked !== undefined) asked.at ??= began.at
    one.at ??= shown[firstAbove(shown, last.at)]
  }
  return told
}

/** The requests of each answer, by its number. */
function requestsOf(
  messages: readonly PlainMessage[],
  requests: readonly ShownRequest[],
): ReadonlyMap<number, readonly ShownRequest[]> {
  const answers = messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []))
  const found = new Map<number, ShownRequest[]>()
  const isPlaced = requests.every(({ after }) => after !== undefined)
  // Where answers and requests are as many, each has its own; what failed has no tokens.
  const isPaired = isPlaced || requests.length === answers.length
  const used = isPaired ? requests : requests.filter(({ usage }) => usage !== undefined)
  for (const [at, request] of used.entries()) {
    const place = isPlaced ? firstAbove(answers, request.after ?? 0) : at
    const answer = answers[place] ?? answers.at(-1)
    if (answer === undefined) continue
    const own = found.get(answer) ?? []
    own.push(request)
    found.set(answer, own)
  }
  return found
}

/** The place of the first of ascending numbers that is greater. */
function firstAbove(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) > limit) high = middle
    else low = middle + 1
  }
  return low
}

function sum(
  one: RequestUsage | undefined,
  other: RequestUsage | undefined,
): RequestUsage | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const cost =
    one.cost === undefined && other.cost === undefined
      ? {}
      : { cost: (one.cost ?? 0) + (other.cost ?? 0) }
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cached: one.cached + other.cached,
    ...cost,
  }
}
