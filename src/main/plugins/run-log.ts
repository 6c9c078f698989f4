import type { PluginRun } from '../../shared/model/settings/plugins'

const keptRuns = 5
const keptFailures = 5

/**
 * The last five runs of each plugin, and the last five that failed: a hook that is called often must not hide a
 * failure.
 */
export interface RunLog {
  add(plugin: string, run: PluginRun): void
  /** Newest first. */
  of(plugin: string): readonly PluginRun[]
}

/** Returns an empty log. */
export function runLog(): RunLog {
  const runs = new Map<string, readonly PluginRun[]>()
  return {
    add(plugin, run) {
      const all = [run, ...(runs.get(plugin) ?? [])]
      const kept = new Set([
        ...all.slice(0, keptRuns),
        ...all.filter(({ problem }) => problem !== null).slice(0, keptFailures),
      ])
      runs.set(
        plugin,
        all.filter((one) => kept.has(one)),
      )
    },
    of: (plugin) => runs.get(plugin) ?? [],
  }
}
