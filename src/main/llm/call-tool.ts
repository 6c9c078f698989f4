import { wellFormed } from '../../shared/model/well-formed'
import type { Tool, ToolOutcome, ToolPreview } from '../tools/tool'
import { readArguments } from './call-arguments'
import type { Clock } from './clock'
import type { AskConsent, ConsentAnswer } from './consent'
import { within } from './within'

/** What a call may cost. */
export interface ToolLimits {
  /** For one call; the time in which a person is asked does not count. */
  readonly timeoutMs: number
  /** How long a call that was told to stop may take to do so. */
  readonly graceMs: number
  /** Of a result, in UTF-16 units; what is longer is cut, with words that say so. */
  readonly resultLength: number
}

export const usualToolLimits: ToolLimits = {
  timeoutMs: 120_000,
  graceMs: 2_000,
  // Some 25,000 tokens: more would push out of the window what the model was asked.
  resultLength: 100_000,
}

export interface ToolDeps {
  readonly tools: readonly Tool[]
  readonly consent?: AskConsent | undefined
  readonly clock: Clock
  readonly limits: ToolLimits
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** The how many-th call in a row with these arguments it is, from 1. */
  readonly streak: number
}

/** What stands in the result's entry. */
export interface CallResult {
  readonly text: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

const stoppedBefore = 'Error: stopped before it ran'

const needsWord = 'a person has to allow this first, and nobody'

const mostInARow = 2

/**
 * Makes one call and gives the words that the model gets for it; whatever goes wrong becomes such words.
 * Rejects only where `consent` gives something else than a word.
 *
 * A tool that `writes` is made only after somebody allowed it; where nobody can be asked, it is not.
 */
export async function callTool(
  call: ToolCall,
  deps: ToolDeps,
  tell: (phase: 'asking' | 'running') => void,
  signal: AbortSignal,
): Promise<CallResult> {
  if (signal.aborted) return { text: stoppedBefore }
  const tool = deps.tools.find(({ name }) => name === call.name)
  if (tool === undefined) return { text: unknownTool(call.name, deps.tools) }
  const args = readArguments(call.arguments)
  if (args.type === 'invalid') return { text: `Error: ${args.reason}` }
  if (call.streak > mostInARow)
    return {
      text: `Error: "${call.name}" was called ${call.streak} times in a row with the same arguments; it was not run again. Do something else, or answer.`,
    }
  if (tool.effect !== 'writes') {
    tell('running')
    return { text: await runTool(tool, args.value, deps, signal) }
  }

  const word = await askFirst(tool, call, args.value, deps, tell, signal)
  if (typeof word === 'string') return { text: word }
  if (!word.allowed) return { text: denied(word.reason), metadata: { consent: 'denied' } }
  const metadata = { consent: word.as ?? 'once' }
  if (signal.aborted) return { text: stoppedBefore, metadata }
  tell('running')
  return { text: await runTool(tool, args.value, deps, signal), metadata }
}

/** Somebody's word, or why nobody could be asked, as words for the model. */
async function askFirst(
  tool: Tool,
  call: ToolCall,
  args: Readonly<Record<string, unknown>>,
  deps: ToolDeps,
  tell: (phase: 'asking') => void,
  signal: AbortSignal,
): Promise<ConsentAnswer | string> {
  const { consent, clock, limits } = deps
  if (consent === undefined) return `Error: ${needsWord} can be asked here`
  const bare: ToolPreview = { title: `Run ${tool.name}` }
  const look = (halt: AbortSignal) => tool.preview?.(args, halt) ?? Promise.resolve(bare)
  const seen = await within(look, limits, clock, signal)
  if (seen.type === 'stopped') return stoppedBefore
  if (seen.type === 'late') return `Error: "${tool.name}" did not say in time what it would do.`
  if (seen.type === 'threw') return `Error: "${tool.name}" failed: ${seen.message}`
  tell('asking')
  const ask = (halt: AbortSignal) =>
    consent({ id: call.id, tool: tool.name, args }, seen.value, halt)
  // A person may take as long as they like.
  const word = await within(ask, { ...limits, timeoutMs: undefined, graceMs: 0 }, clock, signal)
  // What whoever stopped the run took back was not denied by anybody.
  if (word.type === 'done')
    return signal.aborted && !word.value.allowed ? stoppedBefore : word.value
  if (word.type === 'threw') return `Error: ${needsWord} could be asked: ${word.message}`
  return stoppedBefore
}

async function runTool(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  { clock, limits }: ToolDeps,
  signal: AbortSignal,
): Promise<string> {
  const run = async (halt: AbortSignal) =>
    outcomeText(await tool.run(args, halt), limits.resultLength)
  const ran = await within(run, limits, clock, signal)
  switch (ran.type) {
    case 'done':
      return ran.value
    case 'threw':
      return cutLong(`Error: "${tool.name}" failed: ${ran.message}`, limits.resultLength)
    case 'late':
      return `Error: "${tool.name}" did not end within ${Math.round(limits.timeoutMs / 1000)} s and was given up. It may have been carried out in part.`
    case 'stopped':
      return `Error: stopped while "${tool.name}" ran. It may have been carried out in part.`
  }
}

function outcomeText({ type, text }: ToolOutcome, length: number): string {
  return cutLong(type === 'error' && !/^error/i.test(text) ? `Error: ${text}` : text, length)
}

function cutLong(text: string, length: number): string {
  if (text.length <= length) return wellFormed(text)
  // A pair that the cut would halve is left out whole.
  const kept = wellFormed(text.slice(0, length).replace(/[\ud800-\udbff]$/, ''))
  return `${kept}\n\n[Cut here: the first ${kept.length} of ${text.length} characters are shown. Ask for less at once.]`
}

function unknownTool(name: string, tools: readonly Tool[]): string {
  return `Error: there is no tool "${name.slice(0, 100)}". There are: ${tools.map((tool) => tool.name).join(', ')}.`
}

function denied(reason: string | undefined): string {
  const why = reason === undefined || reason.trim() === '' ? '' : `: ${reason.trim()}`
  return `Error: the person did not allow this${why}`
}
