import type { HookAnswer, HookData, HookPoint, Hooks } from '../../src/main/tools/hooks/hooks'

/** What one plugin answers at a point; undefined is no answer. */
export type ScriptedAnswer = unknown | ((data: HookData) => unknown)

/** Plugins that answer as they are told to, in the order of their names; what they were told is in `heard`. */
export function scriptedHooks(
  answers: Partial<Record<HookPoint, Readonly<Record<string, ScriptedAnswer>>>>,
): Hooks & {
  readonly heard: readonly (readonly [HookPoint, HookData])[]
  /** The points, in the order in which they were reached. */
  readonly points: readonly HookPoint[]
} {
  const heard: [HookPoint, HookData][] = []
  return {
    heard,
    get points() {
      return heard.map(([point]) => point)
    },
    hears: () => true,
    async call(point, data) {
      // As it would cross to another process.
      const told: HookData = JSON.parse(JSON.stringify(data))
      heard.push([point, told])
      return Object.entries(answers[point] ?? {}).flatMap(([plugin, answer]): HookAnswer[] => {
        const value = typeof answer === 'function' ? answer(told) : answer
        return value === undefined ? [] : [{ plugin, value }]
      })
    },
  }
}
