import { sourceLabel } from '../../shared/model/conversation/sources'
import type { StatisticsAnswer } from '../../shared/model/statistics/answer'
import { useStatistics, useStores } from '../state/context'
import { FilterMenu } from '../ui/controls/FilterMenu'
import { SegmentedControl } from '../ui/controls/SegmentedControl'
import { modelName, projectName } from './marks/labels'
import { rangeNames } from './marks/use-show-mark'

type Choices = StatisticsAnswer['choices']

/** The time, source, project and model that the view is about. */
export function Filters(props: { readonly choices: Choices | undefined }) {
  const { choices } = props
  const { statistics } = useStores()
  const range = useStatistics((state) => state.range)
  const chosen = useStatistics((state) => state.chosen)
  const choose = (more: object) => statistics.getState().choose({ ...chosen, ...more })
  const sourceName = (source: string | null) => sourceLabel(source ?? '')
  return (
    <div className="statistics-filters">
      <SegmentedControl
        label="Time"
        value={range}
        options={rangeNames}
        onChoose={(value) => statistics.getState().setRange(value)}
      />
      <FilterMenu
        name="Source"
        all="All sources"
        options={optionsOf(choices?.sources, sourceName)}
        nameOf={sourceName}
        value={chosen.source}
        onChoose={(source) => choose({ source: source ?? undefined })}
      />
      <FilterMenu
        name="Project"
        all="All projects"
        options={optionsOf(choices?.projects, projectName)}
        nameOf={projectName}
        value={chosen.project}
        onChoose={(project) => choose({ project })}
      />
      <FilterMenu
        name="Model"
        all="All models"
        options={optionsOf(choices?.models, modelName)}
        nameOf={modelName}
        value={chosen.model}
        onChoose={(model) => choose({ model })}
      />
    </div>
  )
}

function optionsOf(rows: Choices['projects'] = [], nameOf: (name: string | null) => string) {
  return rows.map(({ name, conversations }) => ({
    value: name,
    label: nameOf(name),
    count: conversations,
  }))
}
