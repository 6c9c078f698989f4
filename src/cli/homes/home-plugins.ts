import type { Disk } from '../../main/disk/interface/disk'
import { openPlugins, type Plugins } from '../../main/plugins/plugins'
import { skeinFolder } from '../../main/settings/user-folders'
import { builtInNames } from '../../main/tools/index'
import type { PluginRun } from '../../shared/model/settings/plugins'

/**
 * Opens the plugins of a home; a failure of one is reported.
 *
 * @param verbose says each of their runs, with what they wrote on standard error; they are given `CHIBI_VERBOSE`
 */
export function pluginsAt(
  home: string,
  disk: Disk,
  environment: Readonly<Record<string, string | undefined>>,
  say: (words: string) => void,
  verbose = false,
): Plugins {
  return openPlugins({
    home,
    userFolder: skeinFolder(environment),
    environment: verbose ? { ...environment, CHIBI_VERBOSE: '1' } : environment,
    builtInNames: builtInNames(disk, home),
    noted(event) {
      if (event.type === 'failed') say(`${event.plugin} (${event.asked}) ${event.problem}.`)
      if (event.type === 'ran' && verbose) for (const line of runLines(event)) say(line)
    },
  })
}

/** Describes a run in lines: how it ended, and each line that the plugin wrote on standard error. */
function runLines({ plugin, run }: { readonly plugin: string; readonly run: PluginRun }): string[] {
  const { asked, exitCode, durationMs, stderr } = run
  const end = exitCode === null ? 'was ended' : `exit code ${exitCode}`
  const written = stderr.trimEnd().split('\n')
  return [
    `plugin ${plugin}: ${asked}, ${end}, ${durationMs} ms`,
    ...(written.join('') === '' ? [] : written.map((line) => `plugin ${plugin}: | ${line}`)),
  ]
}
