import { visibleText } from '../../../shared/model/basics/visible'
import type { PluginRun, PluginView } from '../../../shared/model/settings/plugins'
import { formatDuration, formatQuantity } from '../../ui/format/format'

/** Returns the state of a plugin as a sentence. */
export function pluginStateText({ state, problem, isAsked, offer }: PluginView): string {
  if (problem !== null) return visibleText(problem)
  switch (state) {
    case 'untrusted':
      return 'Not trusted yet. It does not run.'
    case 'changed':
      return 'Changed since you trusted it. It does not run.'
    case 'broken':
      return 'It cannot be run.'
    case 'disabled':
      return 'Disabled: its name ends in “.disabled”.'
    case 'trusted':
      if (isAsked) return 'Trusted. Loading its tools…'
      return offer === null ? 'Trusted.' : offerWords(offer)
  }
}

/** "The model can call 2 tools. Runs at pre_message, post_message." */
function offerWords({ tools, hooks }: NonNullable<PluginView['offer']>): string {
  const offered = tools.filter(({ problem }) => problem === null).length
  const words =
    offered === 0 ? 'It offers no tools.' : `The model can call ${formatQuantity(offered, 'tool')}.`
  return hooks.length === 0 ? words : `${words} Runs at ${hooks.map(visibleText).join(', ')}.`
}

/** Summarizes the runs of a plugin, which come newest first; undefined where there are none. */
export function pluginRunsText(runs: readonly PluginRun[]): string | undefined {
  const [last] = runs
  if (last === undefined) return undefined
  const failed = runs.filter(({ problem }) => problem !== null).length
  if (failed === 0) return 'Its last runs succeeded.'
  return last.problem === null
    ? 'Its last run succeeded; an earlier one failed.'
    : 'Its last run failed.'
}

/** Describes a run: "tool weather: exit code 3, after 120 ms". */
export function pluginRunText({ asked, exitCode, problem, durationMs }: PluginRun): string {
  const end = problem ?? (exitCode === null ? 'ended' : `exit code ${exitCode}`)
  return `${visibleText(asked)}: ${visibleText(end)}, after ${formatDuration(durationMs)}`
}

/** Returns the first 12 characters of a hash. */
export function abbreviatedHash(hash: string): string {
  return hash.slice(0, 12)
}
