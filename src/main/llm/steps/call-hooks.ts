import { binaryFault } from '../../tools/files/kept-output'
import {
  callAnswers,
  denialAnswers,
  outputAnswers,
  summaryAnswers,
} from '../../tools/hooks/hook-answers'
import type { HookData, HookPoint, Hooks } from '../../tools/hooks/hooks'

/** The arguments of a call, as an object. */
export type ToolArguments = Readonly<Record<string, unknown>>

/**
 * The hooks' verdict on a call: the arguments with which it may be made, or the text that the model gets in its
 * place.
 */
export type CallVerdict =
  | { readonly type: 'open'; readonly args: ToolArguments }
  | { readonly type: 'blocked'; readonly text: string }

/** The store of long outputs, each in a file. */
export interface ToolOutputStore {
  /** In UTF-16 units; a longer output is kept. */
  readonly threshold: number
  /**
   * Resolves to the id of the output, and the notice in its place; `summary` replaces its beginning there. @throws
   * DiskError
   */
  keep(
    tool: string,
    args: ToolArguments,
    output: string,
  ): Promise<{ readonly id: string; notice(summary: string | undefined): string }>
  /** Takes note of an output that could not be kept. */
  failed(tool: string, error: unknown): void
}

/** An output as the model gets it. */
interface GivenOutput {
  readonly text: string
  /** The whole of it, as plugins left it. */
  readonly output: string
  /** The id under which the whole of it is kept. */
  readonly cached?: string
}

/** The hooks of chibi's file tools, by which plugins may deny a file. */
const filePoints: Readonly<Record<string, 'pre_file_read' | 'pre_file_write'>> = {
  file_head: 'pre_file_read',
  file_tail: 'pre_file_read',
  file_lines: 'pre_file_read',
  file_grep: 'pre_file_read',
  write_file: 'pre_file_write',
  file_edit: 'pre_file_write',
}

/** Tools that read files: their output is not kept in another file, since they can read on. */
const readsOn: ReadonlySet<string> = new Set(['file_head', 'file_tail', 'file_lines', 'file_grep'])

/**
 * Calls the hooks `pre_tool`, and `pre_file_read` or `pre_file_write` for chibi's file tools, and returns their
 * verdict. Nobody is asked for consent before them.
 */
export async function runCallHooks(
  hooks: Hooks,
  tool: string,
  args: ToolArguments,
  signal: AbortSignal,
): Promise<CallVerdict> {
  const call = (point: HookPoint, data: HookData) =>
    hooks.hears(point) ? hooks.call(point, data, signal) : Promise.resolve([])
  const passage = callAnswers(await call('pre_tool', { tool_name: tool, arguments: args }))
  if (passage.type === 'blocked') {
    const { message = 'Tool call blocked by hook', plugin } = passage
    return { type: 'blocked', text: message.trim() === '' ? `Blocked by ${plugin}` : message }
  }
  const changed = passage.changed ?? args
  const point = filePoints[tool]
  if (point !== undefined && typeof changed.path === 'string') {
    const { path, content, operation } = changed
    const written = { ...(operation === undefined ? {} : { operation }), content: content ?? null }
    const data = { tool_name: tool, path, ...(point === 'pre_file_write' ? written : {}) }
    const denial = denialAnswers(point, await call(point, data))
    if (denial !== undefined)
      return { type: 'blocked', text: `Error: ${denial.reason ?? `denied by ${denial.plugin}`}` }
  }
  return { type: 'open', args: changed }
}

/**
 * Turns a tool's output into the text that the model gets: an error where it is no text, then what the output hooks
 * make of it, then a notice in the place of a long one, which is kept in a file.
 */
export async function runOutputHooks(
  { hooks, outputs }: { readonly hooks: Hooks; readonly outputs?: ToolOutputStore | undefined },
  tool: string,
  args: ToolArguments,
  output: string,
  signal: AbortSignal,
): Promise<GivenOutput> {
  const call = (point: HookPoint, data: HookData) =>
    hooks.hears(point)
      ? hooks.call(point, { tool_name: tool, arguments: args, ...data }, signal)
      : Promise.resolve([])
  const binary = binaryFault(output)
  const plain = binary === undefined ? output : `Error: "${tool}" gave ${binary}.`
  const passage = outputAnswers(await call('pre_tool_output', { output: plain }))
  const text =
    passage.type === 'blocked'
      ? (passage.message ?? 'Output blocked by hook')
      : (passage.changed ?? plain)
  const given = { ...(await storeLongOutput(outputs, tool, args, text, call)), output: text }
  const data = { output: text, final_output: given.text, cached: given.cached !== undefined }
  await call('post_tool_output', data)
  return given
}

async function storeLongOutput(
  outputs: ToolOutputStore | undefined,
  tool: string,
  args: ToolArguments,
  text: string,
  call: (point: HookPoint, data: HookData) => ReturnType<Hooks['call']>,
): Promise<Omit<GivenOutput, 'output'>> {
  const isFlood = outputs !== undefined && text.length > outputs.threshold
  if (!isFlood || /^error/i.test(text) || text.trim() === '' || readsOn.has(tool)) return { text }
  const lines = text.split('\n').length
  const outputData = { content: text, char_count: text.length, line_count: lines }
  const summary = summaryAnswers(await call('pre_cache_output', outputData))
  try {
    const { id, notice } = await outputs.keep(tool, args, text)
    const words = notice(summary)
    const after = { cache_id: id, output_size: text.length, preview_size: words.length }
    await call('post_cache_output', after)
    return { text: words, cached: id }
  } catch (error) {
    // The model gets as much of it as fits then.
    outputs.failed(tool, error)
    return { text }
  }
}
