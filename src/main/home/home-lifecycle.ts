import { contextNameFault } from '../../shared/model/conversation/conversation'
import type { Store } from '../store/store'
import { noHooks } from '../tools/hooks/hooks'
import { type Lifecycle, openLifecycle } from '../tools/hooks/lifecycle'
import type { HomeSetup } from './home-setup'

/** Opens what plugins hear of this program: that it begins and ends, and which context it enters. */
export function openHomeLifecycle(setup: HomeSetup, store: Pick<Store, 'contexts'>): Lifecycle {
  const { home, settings, hooks = noHooks, moreTools, isVerbose = false } = setup
  return openLifecycle({
    hooks,
    async facts(context, signal) {
      // A name that no context can have leads to no file.
      const isName = context !== undefined && contextNameFault(context) === undefined
      const { allowedPaths } = await settings.runSettings(isName ? context : undefined)
      const current = context ?? (await store.contexts.session()).current ?? ''
      return {
        chibi_home: home,
        project_root: allowedPaths[0] ?? home,
        tool_count: (await moreTools?.(current, signal))?.length ?? 0,
        current_context: current,
        verbose: isVerbose,
      }
    },
    before: setup.contextBefore,
  })
}
