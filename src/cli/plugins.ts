import type { Disk } from '../main/disk/disk'
import { openPlugins, type Plugins } from '../main/plugins/plugins'
import { builtInNames } from '../main/tools/index'
import { skeinFolder } from './skein-folder'

/** The plugins of a home, trusted in the window; what one fails at is said. */
export function pluginsAt(
  home: string,
  disk: Disk,
  environment: Readonly<Record<string, string | undefined>>,
  say: (words: string) => void,
): Plugins {
  return openPlugins({
    home,
    userFolder: skeinFolder(environment),
    environment,
    builtInNames: builtInNames(disk, home),
    noted: (event) => {
      if (event.type === 'failed') say(`${event.plugin} (${event.asked}) ${event.problem}.`)
    },
  })
}
