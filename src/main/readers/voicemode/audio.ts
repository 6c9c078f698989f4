import path from 'node:path'

/**
 * Where the sound of an utterance may lie, relative to voicemode's own folder, likeliest first: in the folder of the
 * month that its name begins with, or where older versions put all. Empty for what is not a bare file name.
 */
export function audioPlaces(fileName: string): readonly string[] {
  if (!isBareName(fileName)) return []
  const [, year, month] = /^(?:[a-z]+_)?(\d{4})(\d\d)\d\d(?!\d)/.exec(fileName) ?? []
  const flat = `audio/${fileName}`
  return year === undefined ? [flat] : [`audio/${year}/${month}/${fileName}`, flat]
}

/** Lines are hostile: a name must not lead out of the folder, on any system. */
function isBareName(name: string): boolean {
  return name !== '' && name !== '.' && !name.includes('..') && !/[/\\:\0]/.test(name)
}

/** voicemode's own folder, for a root that is it, its folder of day files, or one of those files. */
export function baseOf(root: string): string {
  const steps = [root, path.dirname(root)]
  const days = steps.find((step) => isDaysFolder(step))
  return days === undefined ? root : path.dirname(path.dirname(days))
}

function isDaysFolder(folder: string): boolean {
  return path.basename(folder) === 'conversations' && path.basename(path.dirname(folder)) === 'logs'
}
