import type { HookAnswer, HookPoint, Hooks } from '../tools/hooks/hooks'
import { hookQuestion, hookValue } from './protocol'
import type { Runner } from './runner'

interface HookDeps {
  readonly runner: Runner
  /** Returns true where a plugin may want the point, without waiting for those whose schema is still to come. */
  mayHear(point: HookPoint): boolean
  /** Resolves to the plugins that want the point, in the order of their names. Never rejects. */
  listeners(point: HookPoint, signal: AbortSignal | undefined): Promise<readonly string[]>
}

/** Hears plugins one after the other, in the order of their names. What fails is in the log of the runs. */
export function pluginHooks({ runner, mayHear, listeners }: HookDeps): Hooks {
  return {
    hears: mayHear,
    async call(point, data, signal) {
      const answers: HookAnswer[] = []
      for (const plugin of await listeners(point, signal)) {
        if (signal?.aborted) break
        const answer = await runner.ask(plugin, hookQuestion(plugin, point, data), signal)
        const value = answer.type === 'answered' ? hookValue(answer.text) : undefined
        if (value !== undefined) answers.push({ plugin, value })
      }
      return answers
    },
  }
}
