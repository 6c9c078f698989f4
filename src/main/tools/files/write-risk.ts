import path from 'node:path'
import { liesInFolder } from '../../disk/reading/real-path'

/** A file that is about to be written, and what decides on its risk. */
export interface WrittenFile {
  /** With every link followed. */
  readonly real: string
  /** The beginning of its new content. */
  readonly beginning: string
  /** The present file may be run as a program. */
  readonly isProgram: boolean
}

/** The machine on which a file is written. */
export interface RiskEnvironment {
  /** The person's own folder, with every link followed. */
  readonly ownFolder: string
  readonly platform: NodeJS.Platform
}

/** Folders of programs and of the system's settings; nothing below them is a project. */
const systemFolders =
  /^(\/(bin|boot|dev(?!\/shm\/)|etc|lib(32|64|x32)?|opt|root|run|s?bin|srv|usr|var(?!\/(folders|tmp)\/)|Library|System|Applications|private\/etc|cores)|[a-z]:\\(windows|program files( \(x86\))?|programdata))([/\\]|$)/i

/**
 * Folders of one's own whose files the system or a shell runs by itself, or by their bare name; temporary ones are
 * none.
 */
const runningFolders: { readonly [P in NodeJS.Platform]?: RegExp } = {
  darwin: /^(bin|Library)\//i,
  win32: /^(bin|AppData(?!\\Local\\Temp\\))\\/i,
}
const usualRunningFolders = /^bin\//

/** Names that a system opens by running them. */
const runningNames =
  /\.(app|bat|cmd|com|command|cpl|desktop|exe|hta|jar|jse|lnk|msc|msi|pif|plist|ps1|psm1|reg|scpt|scr|service|sh|bash|zsh|fish|timer|tool|url|vb[es]?|workflow|wsf|wsh)$/i

/**
 * Returns the reason why a file may run by itself, in a sentence; undefined where it cannot. A person is asked about
 * each change of such a file, whatever else they have allowed.
 *
 * Sources that run when somebody runs their project are not among them: allowing a folder of sources allows those.
 */
export function writeRisk(
  { real, beginning, isProgram }: WrittenFile,
  { ownFolder, platform }: RiskEnvironment,
): string | undefined {
  const way = path.relative(ownFolder, real)
  const isOwn = way !== '' && liesInFolder(ownFolder, real)
  const names = (isOwn ? way : real).split(/[/\\]/)
  if (names.some((name) => name.startsWith('.') && name !== '.' && name !== '..'))
    return isOwn && names[0]?.startsWith('.')
      ? 'It is a hidden file of your home folder: programs read such files when they start, and may run what is in them.'
      : 'It is hidden, or in a hidden folder: programs read such files by themselves, and may run what is in them.'
  if (isOwn && (runningFolders[platform] ?? usualRunningFolders).test(way))
    return 'It lies in a folder from which the system or a shell runs programs.'
  if (!isOwn && systemFolders.test(real)) return 'It lies in a folder of the system.'
  if (isProgram && platform !== 'win32') return 'It may be run as a program.'
  if (beginning.startsWith('#!')) return 'It is a script: it may be run as a program.'
  if (runningNames.test(real)) return 'Files of this kind run when they are opened.'
  return undefined
}
