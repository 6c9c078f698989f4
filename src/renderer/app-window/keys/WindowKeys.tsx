import { type ReactNode, useMemo } from 'react'
import { makeKeyTable, type OwnKeys } from '../../../shared/model/keys/key-table'
import { useApp, useSettings } from '../../state/context'
import { KeyTableProvider } from '../../ui/controls/command-keys'

const noOwnKeys: OwnKeys = {}

/** Provider of the keys that commands have by the settings. */
export function WindowKeys(props: { readonly children: ReactNode }) {
  const own = useSettings(({ view }) => view?.preferences.keys ?? noOwnKeys)
  const platform = useApp(({ status }) => status?.platform ?? 'linux')
  const table = useMemo(() => makeKeyTable(own, platform), [own, platform])
  return <KeyTableProvider table={table}>{props.children}</KeyTableProvider>
}
