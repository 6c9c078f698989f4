import { AppError } from '../../shared/model/basics/errors'
import type { ConfigFile } from '../../shared/model/settings/settings'
import type { NewFolder, SettingsApproval } from '../settings/settings'
import type { Permissions } from './permissions'
import type { NativeQuestion } from './question'
import { escapeInvisible, escapeInvisibleUpTo, quoteName } from './question-text'

/** Returns the approval of settings by dialogs of the system, one question for each change. */
export function askForSettings(permissions: Permissions): SettingsApproval {
  return {
    async folders(folders, file) {
      // The whole question must be visible, with its buttons.
      if (folders.length > mostFolders || folders.some(({ path }) => path.length > longestPath))
        throw new AppError(
          'bad-argument',
          `Add at most ${mostFolders} folders at once, each with a path of at most ${longestPath} characters.`,
        )
      await permissions.require(
        foldersQuestion(folders, file),
        'The folders were not allowed. Nothing was changed.',
      )
    },
    address: (baseUrl) =>
      permissions.require(
        addressQuestion(baseUrl),
        'The address was not allowed. Nothing was changed.',
      ),
    key: (baseUrl, hint) =>
      permissions.require(keyQuestion(baseUrl, hint), 'The key was not saved.'),
  }
}

const mostFolders = 8
const longestPath = 300

function foldersQuestion(folders: readonly NewFolder[], file: ConfigFile): NativeQuestion {
  const [first, ...others] = folders
  const what = others.length === 0 && first !== undefined ? quoteName(first.path) : 'these folders'
  return {
    message: `Let models use files in ${what}?`,
    detail: [
      ...folders.flatMap(folderLines),
      '',
      file === 'config.toml'
        ? 'In every conversation of this home that has no list of its own, models can list, search and read all files in there without asking. Skein asks before one is written.'
        : 'In this conversation, models can list, search and read all files in there without asking. Skein asks before one is written.',
    ].join('\n'),
    refusal: 'Cancel',
    answers: ['Allow'],
    isGrave: folders.some(({ isEverything }) => isEverything !== undefined),
  }
}

function folderLines({ path, real, isEverything }: NewFolder): readonly string[] {
  const whole =
    isEverything === 'disk'
      ? ['This is the whole disk.']
      : isEverything === 'own folder'
        ? ['This holds your whole home folder, with its keys and passwords.']
        : []
  return [
    escapeInvisible(path),
    ...(real === path ? [] : [`It leads to ${escapeInvisible(real)}`]),
    ...whole,
  ]
}

function addressQuestion(baseUrl: string): NativeQuestion {
  return {
    message: `Send messages to ${quoteName(hostOf(baseUrl))}?`,
    detail: [
      escapeInvisibleUpTo(baseUrl, 500),
      '',
      'Conversations that use this address are sent there whole, with all that tools have read for them.',
      ...(baseUrl.startsWith('http:') ? ['The connection is not encrypted.'] : []),
    ].join('\n'),
    refusal: 'Cancel',
    answers: ['Allow'],
  }
}

function keyQuestion(baseUrl: string, hint: string): NativeQuestion {
  return {
    message: `Save this key for ${quoteName(hostOf(baseUrl))}?`,
    detail: [
      `Key: ${escapeInvisible(hint)}`,
      `Address: ${escapeInvisibleUpTo(baseUrl, 500)}`,
      '',
      'It is sent to this host with every message, and to no other. The account that it belongs to can show what was sent with it. A key saved for this host is replaced.',
    ].join('\n'),
    refusal: 'Cancel',
    answers: ['Save'],
  }
}

function hostOf(baseUrl: string): string {
  try {
    return new URL(baseUrl).host
  } catch {
    return baseUrl // It is parsed before it is asked about; what is none is shown as it is.
  }
}
