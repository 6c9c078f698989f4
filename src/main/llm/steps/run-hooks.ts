import type { Tool } from '../../tools/base/tool'
import {
  batchAnswers,
  loopAnswers,
  promptAnswers,
  requestAnswers,
  toolAnswers,
} from '../../tools/hooks/hook-answers'
import type { HookData, HookPoint, Hooks } from '../../tools/hooks/hooks'
import type { ProviderRequest, RequestedCall } from '../chat/provider'
import { applyRequestChanges, chatBody } from '../request/request-body'
import { readArguments } from './call-arguments'
import type { Fuel } from './fuel'

/** The flow tool that ends a turn without a call of one. */
export type FallbackTool = 'call_user' | 'call_agent'

/** The part of a run's state that plugins may change while it is active. */
export interface Steering {
  readonly fuel: Fuel
  fallback: FallbackTool
  isFirstTurn: boolean
}

/** The hooks of a run between its calls, with chibi's payloads and answers. None of them rejects. */
export interface RunHooks {
  /** The words that take the place of these. */
  preMessage(prompt: string, summary: string, signal: AbortSignal): Promise<string>
  postMessage(prompt: string, response: string, signal: AbortSignal): Promise<void>
  /** The tools that are offered in a turn. */
  preApiTools(tools: readonly Tool[], fuel: Fuel, signal: AbortSignal): Promise<readonly Tool[]>
  preApiRequest(request: ProviderRequest, fuel: Fuel, signal: AbortSignal): Promise<ProviderRequest>
  preAgenticLoop(message: string, steering: Steering, signal: AbortSignal): Promise<void>
  postToolBatch(
    calls: readonly RequestedCall[],
    steering: Steering,
    signal: AbortSignal,
  ): Promise<void>
}

/** Returns the hooks of a run in a context. None is called after the signal has aborted. */
export function runHooks(hooks: Hooks, context: string): RunHooks {
  /** Calls a hook unless the run was stopped. */
  const call = (point: HookPoint, data: () => HookData, signal: AbortSignal) =>
    signal.aborted || !hooks.hears(point)
      ? Promise.resolve([])
      : hooks.call(point, { context_name: context, ...data() }, signal)
  return {
    async preMessage(prompt, summary, signal) {
      const answers = await call('pre_message', () => ({ prompt, summary }), signal)
      const given = promptAnswers(answers)
      return given === undefined || given.trim() === '' ? prompt : given
    },
    async postMessage(prompt, response, signal) {
      await call('post_message', () => ({ prompt, response }), signal)
    },
    async preApiTools(tools, fuel, signal) {
      const listed = () => tools.map(({ name, effect }) => ({ name, type: kindOf(name, effect) }))
      const data = () => ({ tools: listed(), ...fuelData(fuel) })
      const stays = toolAnswers(await call('pre_api_tools', data, signal))
      return tools.filter(({ name }) => stays(name))
    },
    async preApiRequest(request, fuel, signal) {
      const data = () => ({ request_body: chatBody(request), ...fuelData(fuel) })
      const changes = requestAnswers(await call('pre_api_request', data, signal))
      return changes === undefined ? request : applyRequestChanges(request, changes)
    },
    async preAgenticLoop(message, steering, signal) {
      const data = () => ({
        current_fallback: steering.fallback,
        message,
        ...fuelData(steering.fuel),
      })
      const { fallback, fuel } = loopAnswers(await call('pre_agentic_loop', data, signal))
      if (fallback !== undefined) steering.fallback = fallback
      // After a run's first turn it can only be lowered: a hook that sets it each turn would keep the run alive for
      // ever.
      if (fuel !== undefined)
        steering.fuel.set(steering.isFirstTurn ? fuel : Math.min(fuel, steering.fuel.left))
    },
    async postToolBatch(calls, steering, signal) {
      const data = () => ({
        current_fallback: steering.fallback,
        tool_calls: calls.map((one) => ({ name: one.name, arguments: hookArguments(one) })),
        ...fuelData(steering.fuel),
      })
      const { fallback, fuelDelta } = batchAnswers(await call('post_tool_batch', data, signal))
      if (fallback !== undefined) steering.fallback = fallback
      if (fuelDelta !== 0) steering.fuel.set(steering.fuel.left + fuelDelta)
    },
  }
}

/** Returns the fuel for a hook, only where it has a limit, as in chibi. */
function fuelData(fuel: Fuel): HookData {
  return fuel.total === undefined ? {} : { fuel_remaining: fuel.left, fuel_total: fuel.total }
}

/** Returns a call's arguments for a hook; {} where they are no object. */
export function hookArguments(call: {
  readonly arguments: string
}): Readonly<Record<string, unknown>> {
  const args = readArguments(call.arguments)
  return args.type === 'valid' ? args.value : {}
}

/** chibi's kinds of tools. */
function kindOf(name: string, effect: Tool['effect']): string {
  if (effect === 'runs') return 'plugin'
  if (/^(file_(head|tail|lines|grep)|write_file)$/.test(name)) return 'file'
  if (/^(dir_list|glob_files|grep_files|file_edit)$/.test(name)) return 'coding'
  return 'builtin'
}
