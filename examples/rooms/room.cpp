// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// The air of a room, one temperature:
///
///   capacity · T' = heating + wall · (T_neighbour - T) + facade · (T_outside - T)
struct Room {
    double capacity = 1e6, wall = 100, facade = 50, T_outside = 0;
    double heating = 0, T_neighbour = 20;
    double T = 20;

    static void declare(rubato::model::Declaration<Room>& model) {
        model.description("the air of a room");
        model.solver(rubato::model::Solver::exact);
        model.experiment({.start = 0, .stop = 36000, .step = 60});
        model.parameter(&Room::capacity, "capacity", "J/K", "heat capacity");
        model.parameter(&Room::wall, "wall", "W/K", "conductance of the wall to the next room");
        model.parameter(&Room::facade, "facade", "W/K", "conductance of the facade");
        model.parameter(&Room::T_outside, "T_outside", "degC", "temperature outside");
        model.input(&Room::heating, "heating", "W", "power of the heater");
        model.input(&Room::T_neighbour, "T_neighbour", "degC", "temperature of the next room");
        model.state(&Room::T, "T", "degC", "temperature").given_out();
    }

    void derivatives(Room& der) const {
        der.T = (heating + wall * (T_neighbour - T) + facade * (T_outside - T)) / capacity;
    }
};

RUBATO_MODEL(room, Room)
