// The platform that Qt draws on, chosen before there is an application, and the application's names.
#pragma once

namespace headlight {

// Without a display that can be reached, or when none is needed: offscreen.
void choose_platform(bool needs_display);
bool has_display();  // once there is an application
// Names, resources and icon of the application that was just made.
void name_application();

}  // namespace headlight
