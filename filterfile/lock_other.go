//go:build !(linux || darwin)

package filterfile

import "os"

func enterUse(*os.File) (alone bool, done func() error, err error) { return false, nil, errNotHere }

func leaveUse(*os.File) (alone bool, err error) { return false, errNotHere }
