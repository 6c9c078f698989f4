import type { PluginRun, PluginView } from '../../shared/model/plugins'
import { duration } from '../ui/format'
import { visibleText } from '../ui/visible-text'

/** What a plugin is now, in a sentence. */
export function stateWords({ state, problem, isAsked, offer }: PluginView): string {
  if (problem !== null) return visibleText(problem)
  switch (state) {
    case 'untrusted':
      return 'Not trusted yet. Nothing of it runs.'
    case 'changed':
      return 'Changed since it was trusted. Nothing of it runs.'
    case 'broken':
      return 'It cannot be run.'
    case 'disabled':
      return 'Left alone: its name ends in “.disabled”.'
    case 'trusted':
      if (isAsked) return 'Trusted. It is being asked what it offers…'
      return offer === null ? 'Trusted.' : offerWords(offer)
  }
}

/** "2 tools. Heard at pre_message and post_message." */
function offerWords({ tools, hooks }: NonNullable<PluginView['offer']>): string {
  const offered = tools.filter(({ problem }) => problem === null).length
  const words =
    offered === 0
      ? 'No tool of it is offered.'
      : `The model may call ${offered === 1 ? 'one tool' : `${offered} tools`} of it.`
  return hooks.length === 0 ? words : `${words} Heard at ${hooks.map(visibleText).join(', ')}.`
}

/** How its runs went, newest first; undefined where it has not run. */
export function runsWords(runs: readonly PluginRun[]): string | undefined {
  const [last] = runs
  if (last === undefined) return undefined
  const failed = runs.filter(({ problem }) => problem !== null).length
  if (failed === 0) return 'Its last runs ended well.'
  return last.problem === null
    ? 'It ran well last, and failed before.'
    : 'It failed when it ran last.'
}

/** "tool weather: exit code 3, after 120 ms". */
export function runWords({ asked, exitCode, problem, durationMs }: PluginRun): string {
  const end = problem ?? (exitCode === null ? 'ended' : `exit code ${exitCode}`)
  return `${visibleText(asked)}: ${visibleText(end)}, after ${duration(durationMs)}`
}

/** The beginning of a hash, enough to tell two apart at a glance. */
export function shortHash(hash: string): string {
  return hash.slice(0, 12)
}
