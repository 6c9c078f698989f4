import { type App, BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron'
import type { KeyTable } from '../../shared/model/keys/key-table'
import { acceleratorOf } from '../../shared/model/keys/key-words'
import { type WindowCommand, windowCommands } from '../../shared/model/keys/window-commands'
import { isAppWindow } from './windows'

/**
 * Sets the application's menu, for the app window alone where each window has its own. Its shortcuts are for the system; the app window knows them as well, for where there
 * is no menu bar.
 *
 * @param keys the keys that commands have now; the menu is set again when they are others
 */
export function setMenu(app: App, command: (name: WindowCommand) => void, keys: KeyTable): void {
  const item = (name: WindowCommand): MenuItemConstructorOptions => {
    const [first] = keys.keysOf(name)
    return {
      label: windowCommands[name].name,
      ...(first === undefined ? {} : { accelerator: acceleratorOf(first) }),
      click: () => command(name),
    }
  }

  const isMac = process.platform === 'darwin'
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' as const }] : []),
    {
      label: '&File',
      submenu: [
        item('new-conversation'),
        item('export'),
        item('export-all'),
        item('import'),
        { type: 'separator' },
        item('settings'),
        item('check-updates'),
        { type: 'separator' },
        { role: isMac ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        item('palette'),
        item('filter'),
        item('find'),
        item('search'),
        item('lost-and-found'),
        item('map'),
        item('compare'),
        item('statistics'),
        item('skim'),
        item('fold-tools'),
        item('toggle-library'),
        item('toggle-details'),
        { type: 'separator' },
        item('zoom-in'),
        item('zoom-out'),
        item('zoom-reset'),
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
      ],
    },
    {
      label: '&Go',
      submenu: [item('back'), item('forward'), { type: 'separator' }, item('outline')],
    },
    { role: 'windowMenu' },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  // Off the Mac every window has it now.
  if (!isMac)
    for (const window of BrowserWindow.getAllWindows())
      if (!isAppWindow(window.webContents)) window.removeMenu()
}
