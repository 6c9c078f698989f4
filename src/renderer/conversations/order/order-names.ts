import type { Grouping, LibrarySort } from '../../state/app/layout'

/** Names of the groupings of the library. */
export const groupingNames: Readonly<Record<Grouping, string>> = {
  date: 'Date',
  project: 'Project',
  source: 'Source',
  model: 'Model',
  tag: 'Tag',
  family: 'Family',
  title: 'Title A–Z',
  none: 'Nothing',
}

/** Names of the orders of the library. */
export const sortNames: Readonly<Record<LibrarySort, string>> = {
  newest: 'Newest first',
  title: 'By title',
  entries: 'Most entries first',
  size: 'Largest first',
}
