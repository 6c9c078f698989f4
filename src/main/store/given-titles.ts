// The titles and tags given to contexts: in the home, and in the folder of a context that came back.

export { listContextNames } from './contexts/listing'
export { readTitleInFolder, removeTitleInFolder } from './registry/folder-title'
export { readKnownContexts, withStateLock } from './registry/known-contexts'
export {
  type GivenTitle,
  type GivenTitles,
  readTitleFile,
  readTitles,
  type TitleAndTags,
  type TitleStore,
  updateTitles,
} from './registry/titles'
