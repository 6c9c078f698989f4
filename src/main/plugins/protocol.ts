import { wellFormedJson } from '../../shared/model/basics/well-formed'
import { truncateEnd } from '../tools/base/short-text'
import type { Tool, ToolOutcome } from '../tools/base/tool'
import { answerFault } from '../tools/hooks/hook-answers'
import type { HookData, HookPoint } from '../tools/hooks/hooks'
import type { PluginAnswer, PluginQuestion, Runner } from './runner'
import { recurseName, type ToolSchema } from './schema'

/** Longest value of a variable: Linux takes 128 KB with the name. Longer data goes on stdin alone. */
const environmentBytes = 100_000

/** The question for a plugin's schema: one argument, nothing on stdin, in both of chibi's eras. */
export const schemaQuestion: PluginQuestion = {
  asked: '--schema',
  args: ['--schema'],
  limits: { timeoutMs: 10_000, stdoutBytes: 1024 * 1024 },
}

/** The call of a tool: its arguments in `CHIBI_TOOL_ARGS` (chibi until 0.6) and on stdin (since 0.7). */
function toolQuestion(tool: string, args: Readonly<Record<string, unknown>>): PluginQuestion {
  const json = wellFormedJson(args)
  return {
    asked: `tool ${tool}`,
    environment: { CHIBI_TOOL_NAME: tool, ...inEnvironment('CHIBI_TOOL_ARGS', json) },
    input: json,
  }
}

/** Writes the question of a hook: its data in `CHIBI_HOOK_DATA` (chibi until 0.6) and on stdin (since 0.7). */
export function hookQuestion(plugin: string, point: HookPoint, data: HookData): PluginQuestion {
  const json = wellFormedJson(data)
  return {
    asked: `hook ${point}`,
    environment: { CHIBI_HOOK: point, ...inEnvironment('CHIBI_HOOK_DATA', json) },
    input: json,
    fault(text) {
      const value = hookValue(text)
      return value === undefined ? undefined : answerFault(point, { plugin, value })
    },
  }
}

function inEnvironment(name: string, json: string): Readonly<Record<string, string>> {
  return Buffer.byteLength(json) <= environmentBytes ? { [name]: json } : {}
}

/** Reads a plugin's answer at a hook: JSON, else its text; undefined where it is blank. */
export function hookValue(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text.trim()
  }
}

/** Returns a plugin's tool as a run calls it. */
export function pluginTool(runner: Runner, plugin: string, schema: ToolSchema): Tool {
  const { name, description, parameters, isParallel, ends, summaryParams } = schema
  return {
    name,
    description,
    parameters,
    effect: 'runs',
    ...(ends === undefined ? {} : { ends }),
    ...(isParallel ? {} : { alone: true }),
    async run(args, signal) {
      return outcome(name, args, await runner.ask(plugin, toolQuestion(name, args), signal))
    },
    async preview(args) {
      return { title: titleOf(name, args, summaryParams) }
    },
  }
}

const shownFailureChars = 2_000

/** Turns an answer into a tool's outcome. Its stderr is for the person alone, in Settings. */
function outcome(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  answer: PluginAnswer,
): ToolOutcome {
  if (answer.type === 'answered')
    return { type: 'result', text: tool === recurseName ? nextRound(args) : answer.text }
  const words = answer.text?.trim() ?? ''
  const detail = words === '' ? '' : `: ${truncateEnd(words, shownFailureChars)}`
  return { type: 'error', text: `Error: ${tool} ${answer.problem}${detail}` }
}

/** Writes the beginning of the round that `recurse` asks for, as chibi 0.5 does. */
function nextRound({ note }: Readonly<Record<string, unknown>>): string {
  const beginning = '[Continuing from previous round]'
  return typeof note === 'string' && note !== ''
    ? `${beginning}\n\nNote to self: ${note}`
    : beginning
}

const shownValueChars = 80

function titleOf(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  summaryParams: readonly string[],
): string {
  const shown = summaryParams.flatMap((key) => {
    const value = Object.hasOwn(args, key) ? args[key] : undefined
    if (value === undefined) return []
    const text = typeof value === 'string' ? value : wellFormedJson(value)
    return [truncateEnd(text.replace(/\s+/g, ' '), shownValueChars)]
  })
  return shown.length === 0 ? tool : `${tool}: ${shown.join(', ')}`
}
