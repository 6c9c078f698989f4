import path from 'node:path'

/**
 * Returns the paths where the sound of an utterance may be, relative to voicemode's own folder, likeliest first: in
 * the folder of the month that its name begins with, or where older versions put all. A path, which the format allows,
 * is relative to that folder or to its `audio`. Empty for a name that may lead out of the folder.
 */
export function audioPlaces(fileName: string): readonly string[] {
  if (!isInside(fileName)) return []
  if (fileName.includes('/')) return [fileName, `audio/${fileName}`]
  const [, year, month] = /^(?:[a-z]+_)?(\d{4})(\d\d)\d\d(?!\d)/.exec(fileName) ?? []
  const flat = `audio/${fileName}`
  return year === undefined ? [flat] : [`audio/${year}/${month}/${fileName}`, flat]
}

/** Lines are hostile: a name must not lead out of the folder, on any system. */
function isInside(name: string): boolean {
  const isPlain = !name.includes('..') && !/[\\:\0]/.test(name)
  return isPlain && name.split('/').every((step) => step !== '' && step !== '.')
}

/**
 * Returns voicemode's own folder for a root that is it, one of its folders of day files or texts, or one of those
 * files.
 */
export function voicemodeFolderOf(root: string): string {
  const steps = [root, path.dirname(root)]
  for (const step of steps) {
    const folder = path.dirname(step)
    if (isNamed(step, 'conversations') && isNamed(folder, 'logs')) return path.dirname(folder)
    if (isNamed(step, 'logs') || isNamed(step, 'transcriptions')) return folder
  }
  return root
}

function isNamed(folder: string, name: string): boolean {
  return path.basename(folder) === name
}
