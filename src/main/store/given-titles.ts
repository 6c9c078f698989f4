// The titles, tags and labels given to contexts: in the home, and in the folder of a context that came back.

export { listContextNames } from './contexts/listing'
export {
  readTitleInFolder,
  removeTitleInFolder,
  withTitleInFolder,
} from './registry/folder-title'
export { readKnownContexts, withStateLock } from './registry/known-contexts'
export { addLabels, readLabels, type StoredLabel, writeLabel } from './registry/labels'
export {
  type GivenTitle,
  type GivenTitles,
  readTitleFile,
  readTitles,
  type TitleAndTags,
  type TitleStore,
  updateTitles,
} from './registry/titles'
