import { wellFormed } from '../../../shared/model/basics/well-formed'
import type { Tool, ToolOutcome, ToolPreview } from '../../tools/base/tool'
import type { Hooks } from '../../tools/hooks/hooks'
import { readArguments } from '../steps/call-arguments'
import {
  type CallVerdict,
  runCallHooks,
  runOutputHooks,
  type ToolArguments,
  type ToolOutputStore,
} from '../steps/call-hooks'
import type { AskConsent, ConsentAnswer } from '../steps/consent'
import type { Clock } from '../timing/clock'
import { type TimedOutcome, withTimeout } from '../timing/with-timeout'

/** Limits of one call, in time and in the length of its result. */
export interface ToolLimits {
  /** Time of one call; waiting for consent does not count. */
  readonly timeoutMs: number
  /** How long a call may take to stop after its abort. */
  readonly graceMs: number
  /** Longest result, in UTF-16 units; a longer one is cut, with a note that says so. */
  readonly resultLength: number
}

/** Default limits of a call: 120 s, 2 s to stop, and 100,000 UTF-16 units of result. */
export const usualToolLimits: ToolLimits = {
  timeoutMs: 120_000,
  graceMs: 2_000,
  // Some 25,000 tokens: more would push out of the window what the model was asked.
  resultLength: 100_000,
}

/** Everything that the calls of a run need. */
export interface CallToolDeps {
  readonly tools: readonly Tool[]
  readonly consent?: AskConsent | undefined
  readonly clock: Clock
  readonly limits: ToolLimits
  readonly toolHooks: Hooks
  /** Without it what floods is cut. */
  readonly outputs?: ToolOutputStore | undefined
}

/** A call that is to be made. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** The how many-th call in a row with these arguments it is, from 1. */
  readonly streak: number
  /** The hooks' verdict, where they were called before. */
  readonly gate?: CallVerdict | undefined
}

/** The result of a call, as its entry has it. */
export interface CallResult {
  readonly text: string
  /** It was not made, or failed: the text says why. */
  readonly failed?: boolean
  /** The tool's whole output, where the text is not all of it. */
  readonly output?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  /** The arguments that ran, as plugins left them; absent where nothing was run. */
  readonly args?: ToolArguments
}

const stoppedBefore = 'Error: stopped before it ran'

const needsWord = 'this needs approval first, and nobody'

const mostInARow = 2

/**
 * Makes one call and resolves to the text that the model gets for it; a failure becomes such a text. Rejects only
 * where `consent` resolves to anything but an answer.
 *
 * Hooks run first: they may change the arguments or block the call. A tool that `writes` runs only with somebody's
 * consent; where nobody can be asked, it does not run.
 */
export async function callTool(
  call: ToolCall,
  deps: CallToolDeps,
  tell: (phase: 'asking' | 'running') => void,
  signal: AbortSignal,
): Promise<CallResult> {
  const not = (text: string): CallResult => ({ text, failed: true })
  if (signal.aborted) return not(stoppedBefore)
  const tool = deps.tools.find(({ name }) => name === call.name)
  if (tool === undefined) return not(unknownTool(call.name, deps.tools))
  const asked = readArguments(call.arguments)
  if (asked.type === 'invalid') return not(`Error: ${asked.reason}`)
  if (call.streak > mostInARow)
    return not(
      `Error: "${call.name}" was called ${call.streak} times in a row with the same arguments; it was not run again. Do something else, or answer.`,
    )
  const gate = call.gate ?? (await runCallHooks(deps.toolHooks, tool.name, asked.value, signal))
  if (gate.type === 'blocked')
    return { ...not(cutLong(gate.text, deps.limits.resultLength)), metadata: { blocked: true } }
  if (signal.aborted) return not(stoppedBefore)
  const { args } = gate
  if (tool.effect !== 'writes') {
    tell('running')
    return runTool(tool, args, deps, signal)
  }

  const word = await askForConsent(tool, call, args, deps, tell, signal)
  if (typeof word === 'string') return not(word)
  if (!word.allowed) return { ...not(denied(word.reason)), metadata: { consent: 'denied' } }
  const metadata = { consent: word.as ?? 'once' }
  if (signal.aborted) return { ...not(stoppedBefore), metadata }
  tell('running')
  const result = await runTool(tool, args, deps, signal)
  return { ...result, metadata: { ...metadata, ...result.metadata } }
}

/** Asks for consent; resolves to the answer, or to a text for the model that says why nobody could be asked. */
async function askForConsent(
  tool: Tool,
  call: ToolCall,
  args: ToolArguments,
  deps: CallToolDeps,
  tell: (phase: 'asking') => void,
  signal: AbortSignal,
): Promise<ConsentAnswer | string> {
  const { consent, clock, limits } = deps
  if (consent === undefined) return `Error: ${needsWord} can be asked here`
  const bare: ToolPreview = { title: `Run ${tool.name}` }
  const look = (halt: AbortSignal) => tool.preview?.(args, halt) ?? Promise.resolve(bare)
  const seen = await withTimeout(look, limits, clock, signal)
  if (seen.type === 'stopped') return stoppedBefore
  if (seen.type === 'late')
    return `Error: "${tool.name}" took too long to describe what it would do.`
  if (seen.type === 'threw') return `Error: "${tool.name}" failed: ${seen.message}`
  tell('asking')
  const ask = (halt: AbortSignal) =>
    consent({ id: call.id, tool: tool.name, args }, seen.value, halt)
  // A person may take as long as they like.
  const word = await withTimeout(
    ask,
    { ...limits, timeoutMs: undefined, graceMs: 0 },
    clock,
    signal,
  )
  // A call that a stop took back was denied by nobody.
  if (word.type === 'done')
    return signal.aborted && !word.value.allowed ? stoppedBefore : word.value
  if (word.type === 'threw') return `Error: ${needsWord} could be asked: ${word.message}`
  return stoppedBefore
}

async function runTool(
  tool: Tool,
  args: ToolArguments,
  deps: CallToolDeps,
  signal: AbortSignal,
): Promise<CallResult> {
  const { clock, limits } = deps
  const ran = await withTimeout((halt) => tool.run(args, halt), limits, clock, signal)
  const { text, failed } = wordsOf(tool, ran, limits)
  // A flow tool's text is no output: no hook sees it, and it is not cut to a preview.
  const given =
    tool.effect === 'flow'
      ? { text, output: text }
      : await runOutputHooks(
          { hooks: deps.toolHooks, outputs: deps.outputs },
          tool.name,
          args,
          text,
          signal,
        )
  return {
    args,
    text: cutLong(given.text, limits.resultLength),
    ...(failed ? { failed } : {}),
    ...(given.output === given.text ? {} : { output: given.output }),
    ...(given.cached === undefined ? {} : { metadata: { cached: given.cached } }),
  }
}

function wordsOf(
  tool: Tool,
  ran: TimedOutcome<ToolOutcome>,
  limits: ToolLimits,
): { readonly text: string; readonly failed: boolean } {
  switch (ran.type) {
    case 'done': {
      const { type, text } = ran.value
      const failed = type === 'error'
      return { text: failed && !/^error/i.test(text) ? `Error: ${text}` : text, failed }
    }
    case 'threw':
      return { text: `Error: "${tool.name}" failed: ${ran.message}`, failed: true }
    case 'late':
      return {
        text: `Error: "${tool.name}" timed out after ${Math.round(limits.timeoutMs / 1000)} s. It may have been carried out in part.`,
        failed: true,
      }
    case 'stopped':
      return {
        text: `Error: stopped while "${tool.name}" ran. It may have been carried out in part.`,
        failed: true,
      }
  }
}

function cutLong(text: string, length: number): string {
  if (text.length <= length) return wellFormed(text)
  // A pair that the cut would halve is left out whole.
  const kept = wellFormed(text.slice(0, length).replace(/[\ud800-\udbff]$/, ''))
  return `${kept}\n\n[Cut here: the first ${kept.length} of ${text.length} characters are shown. Ask for less at once.]`
}

function unknownTool(name: string, tools: readonly Tool[]): string {
  return `Error: there is no tool "${name.slice(0, 100)}". Available tools: ${tools.map((tool) => tool.name).join(', ')}.`
}

function denied(reason: string | undefined): string {
  const why = reason === undefined || reason.trim() === '' ? '' : `: ${reason.trim()}`
  return `Error: the person did not allow this${why}`
}
