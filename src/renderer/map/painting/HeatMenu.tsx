import { heatKinds } from '../../../shared/model/map/heat'
import { useMap, useStores } from '../../state/context'
import { FilterMenu } from '../../ui/controls/FilterMenu'
import { heatNames } from './heat-labels'

/** Menu of the numbers by which nodes are coloured. */
export function HeatMenu() {
  const { map } = useStores()
  const heat = useMap((state) => state.heat)
  return (
    <FilterMenu
      name="Heat"
      all="No heat"
      options={heatKinds.map((kind) => ({ value: kind, label: heatNames[kind] }))}
      nameOf={(kind) => `Heat: ${heatNames[kind]}`}
      value={heat}
      onChoose={(kind) => map.getState().setHeat(kind)}
    />
  )
}
