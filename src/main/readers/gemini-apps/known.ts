import { type KnownFormat, knownObject } from '../known/known-format'

/** Fields of an activity that become its entries, or say again what its file says. */
export const activityFields: ReadonlySet<string> = new Set([
  ...['header', 'title', 'time', 'products', 'activityControls', 'safeHtmlItem', 'titleUrl'],
])

/** Table of what the reader knows of activities. They name no version. */
export const geminiAppsFormat: KnownFormat = {
  record: knownObject([], {
    activity: knownObject([
      ...activityFields,
      ...['subtitles', 'details', 'description', 'imageFile', 'audioFiles', 'attachedFiles'],
      ...['locationInfos', 'fromSoundSearch'],
    ]),
  }),
}
