import { useEffect, useMemo } from 'react'
import type { Provider } from '../../shared/model/settings/model-info'
import type { LocalServer } from '../../shared/model/settings/settings'
import { useModels, useSettings, useStores } from '../state/context'
import type { ModelSource } from './model-rows'

/**
 * Returns all providers and local servers with the models known of each. Loads the lists of those that need no key
 * or have one; asks no others.
 */
export function useSourcesOfModels(): readonly ModelSource[] {
  const { models, settings } = useStores()
  const providers = useModels(({ view }) => view?.providers)
  const lists = useModels((state) => state.lists)
  const servers = useSettings((state) => state.localServers)

  useEffect(() => {
    void models.getState().load()
    void settings.getState().findLocalServers()
  }, [models, settings])
  const asked = useMemo(() => addressesToAsk(providers ?? [], servers ?? []), [providers, servers])
  useEffect(() => void models.getState().loadLists(asked, false), [models, asked])

  return useMemo(() => {
    const listed = (name: string, baseUrl: string): ModelSource => ({
      name,
      baseUrl,
      models: lists[baseUrl]?.models ?? [],
    })
    const known = (providers ?? []).map(({ name, baseUrl }) => listed(name, baseUrl))
    const local = (servers ?? [])
      .filter(({ baseUrl }) => known.every((one) => one.baseUrl !== baseUrl))
      .map(({ name, baseUrl, models: ids }) => {
        const source = listed(name, baseUrl)
        return source.models.length > 0 ? source : { ...source, models: ids.map((id) => ({ id })) }
      })
    return [...known, ...local]
  }, [providers, servers, lists])
}

/** Leaves out providers without a key that they need: they would refuse, and nobody chose them. */
function addressesToAsk(
  providers: readonly Provider[],
  servers: readonly LocalServer[],
): readonly string[] {
  const open = providers.filter(({ key }) => key.present || !key.isNeeded)
  return [...open, ...servers].map(({ baseUrl }) => baseUrl)
}
