import { sourceLabel } from '../../shared/model/conversation/sources'
import { startOfPeriod } from '../../shared/model/query/dates'
import type { FacetName } from '../../shared/model/query/facets'
import { monthName } from '../ui/format/format'

/** Titles of facets. */
export const facetTitles: Readonly<Record<FacetName, string>> = {
  source: 'Source',
  project: 'Project',
  type: 'Kind',
  role: 'Speaker',
  tool: 'Tool',
  model: 'Model',
  month: 'Month',
  branch: 'Branch',
}

const kinds: Readonly<Record<string, string>> = {
  message: 'Messages',
  tool_call: 'Tool calls',
  tool_result: 'Tool results',
  reasoning: 'Reasoning',
  damaged: 'Damaged lines',
}
const speakers: Readonly<Record<string, string>> = {
  user: 'You',
  agent: 'Answers',
  system: 'System',
}

const branches: Readonly<Record<string, string>> = {
  current: 'Current branch',
  left: 'Branches that were left',
}

/** Returns the names of a facet's values, for people; a project by its folder, with the one above where two are called the same. */
export function facetLabels(
  facet: FacetName,
  values: readonly string[],
): ReadonlyMap<string, string> {
  if (facet === 'project') return projectLabels(values)
  return new Map(values.map((value) => [value, labelOf(facet, value)]))
}

function labelOf(facet: FacetName, value: string): string {
  switch (facet) {
    case 'source':
      return sourceLabel(value)
    case 'type':
      return kinds[value] ?? value
    case 'role':
      return speakers[value] ?? value
    case 'branch':
      return branches[value] ?? value
    case 'month': {
      const start = startOfPeriod(value)
      return start === undefined ? value : monthName(start * 1000)
    }
    default:
      return value
  }
}

function projectLabels(values: readonly string[]): ReadonlyMap<string, string> {
  const parts = values.map((value) => value.split(/[/\\]+/).filter((part) => part !== ''))
  const named = (depth: number) => parts.map((part) => part.slice(-depth).join('/'))
  const [short, longer] = [named(1), named(2)]
  return new Map(
    values.map((value, index) => {
      const name = short[index] ?? ''
      const isOnly = short.indexOf(name) === short.lastIndexOf(name)
      return [value, (isOnly ? name : longer[index]) || value]
    }),
  )
}
